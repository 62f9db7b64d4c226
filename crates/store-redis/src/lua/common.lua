-- What the scripts share. Before it stand FIELDS, the names of a row's values; a local for the place of each; and
-- FIFO, the order in which jobs are handed out.
--
-- Times are 16 hexadecimal digits that sort as the times do. Every sorted set has the score 0 throughout, so that its
-- members are in the order of their bytes: exact for every time, where a score is a float. A script that returns false
-- has changed nothing.
local call = redis.call
local root = KEYS[1]

local taken = 0
local function take()
  taken = taken + 1
  return ARGV[taken]
end

-- Beyond this a float does not hold every integer; what comes near is left to the general way.
local TIME_END = 9007199254740992
local function exact(ms) return ms >= 0 and ms < TIME_END end
local function hex(ms) return '8' .. string.format('%015x', ms) end
local function unhex(time) return tonumber(string.sub(time, 2), 16) end
local function whole(number) return string.format('%.0f', number) end

-- The time to judge by: the caller's, or this server's; not before the floor.
local function clock()
  local given, floor = take(), tonumber(take())
  local now = tonumber(given)
  if not now then
    local time = call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  if floor and now < floor then now = floor end
  return now
end

local function load(id)
  local row = call('HMGET', root .. 'job:' .. id, unpack(FIELDS))
  return row[1] and row
end

-- A row as it will be: what is set in it lies over the row as it is.
local function changing(row)
  return setmetatable({}, { __index = row })
end

local function whole_row(row)
  local copy = {}
  for place = 1, #FIELDS do copy[place] = row[place] end
  return copy
end

-- A lease is one value: end, process, attempt, token, grant, last renewal, deadline, worker. The worker comes last, for
-- its name may contain spaces.
local function lease_of(row)
  local lease = {}
  lease.expires, lease.process, lease.attempt, lease.token, lease.acquired, lease.heartbeat, lease.deadline, lease.worker =
    string.match(row[LEASE], '^(%x+) (%S+) (%d+) (%S+) (%x+) (%x+) (%S+) (.*)$')
  return lease.expires and lease
end

local function lease_value(lease)
  return table.concat({ lease.expires, lease.process, lease.attempt, lease.token, lease.acquired, lease.heartbeat,
    lease.deadline, lease.worker }, ' ')
end

local function number_key(row) return string.format('%08x', row[NUMBER]) end

local function end_of_lease(row)
  if (row[LEASE] or '') == '' then return nil end
  return string.sub(row[LEASE], 1, 16) .. number_key(row)
end

local function holder(row)
  return row[LEASE] and string.match(row[LEASE], '^%x+ (%d+) ')
end

-- When a retry is due; one without a time always is.
local function due(row)
  if row[STATUS] ~= 'retryable' then return nil end
  return row[NEXT_ATTEMPT_AT] ~= '' and row[NEXT_ATTEMPT_AT] or '0000000000000000'
end

local function place(row)
  if FIFO then return row[READY_AT] .. number_key(row) end
  return row[CREATED_AT] .. row[COLLATION]
end

-- Where a job waits: the set, and its place there before the id. A retry's place also says when it is due.
local function line(row)
  if row[STATUS] == 'queued' then return 'queued:' .. row[EXECUTOR], place(row) end
  if row[STATUS] == 'retryable' then return 'retry:' .. row[EXECUTOR], place(row) .. ' ' .. due(row) end
end

local function shift(key, id, before, after)
  if before == after then return end
  if before then call('ZREM', root .. key, before .. ' ' .. id) end
  if after then call('ZADD', root .. key, 0, after .. ' ' .. id) end
end

-- A counter that is gone at nothing.
local function count(key, field, by)
  if call('HINCRBY', root .. key, field, by) == 0 then call('HDEL', root .. key, field) end
end

local ACTIVE = { queued = true, retryable = true, leased = true, running = true }

-- Jobs by tenant, or by user, as admission counts them. A row has no name there where its request is not kept.
local function shift_admission(kind, field, id, before, after)
  local was, is = before[field] or '', after[field]
  local born, reborn = before[CREATED_AT], after[CREATED_AT]
  local left, came = was ~= '' and ACTIVE[before[STATUS]], is ~= '' and ACTIVE[after[STATUS]]
  if was ~= is or born ~= reborn then
    if was ~= '' then call('ZREM', root .. 'created:' .. kind .. was, born .. ' ' .. id) end
    if is ~= '' then call('ZADD', root .. 'created:' .. kind .. is, 0, reborn .. ' ' .. id) end
  elseif left == came then
    return
  end
  if left then count('active:' .. kind, was, -1) end
  if came then count('active:' .. kind, is, 1) end
end

-- The one place where a job moves in the indexes.
local function move(id, before, after)
  local was, is = before[STATUS], after[STATUS]
  if was ~= is then
    if was then count('counts', was, -1) end
    count('counts', is, 1)
  end
  local from, old_place = line(before)
  local to, new_place = line(after)
  if from == to then
    shift(to, id, old_place, new_place)
  else
    shift(from, id, old_place, nil)
    shift(to, id, nil, new_place)
  end
  shift('due', id, due(before), due(after))
  shift('leases', id, end_of_lease(before), end_of_lease(after))
  local left, came = holder(before), holder(after)
  if left ~= came then
    if left then count('held', left, -1) end
    if came then count('held', came, 1) end
  end
  shift_admission('tenant', TENANT, id, before, after)
  shift_admission('user', USER, id, before, after)
end

-- Writes a row over what was, with its new events.
local function save(id, before, after, events)
  after[REVISION] = whole((before[REVISION] or 0) + 1)
  after[EVENTS] = whole((before[EVENTS] or 0) + #events)
  local set = { root .. 'job:' .. id }
  for place = 1, #FIELDS do
    if before[place] ~= after[place] then
      set[#set + 1] = FIELDS[place]
      set[#set + 1] = after[place]
    end
  end
  call('HSET', unpack(set))
  for _, event in ipairs(events) do call('RPUSH', root .. 'log:' .. id, event) end
  move(id, before, after)
end

-- Makes a new job known by its key and number.
local function enrol(id, key, number)
  call('HSET', root .. 'keys', key, id)
  call('ZADD', root .. 'numbers', number, id)
end

local RETRIES_AT_ONCE = 100

-- Adds the first retries of an executor that are due. In the order of Fifo all after one that is not due are not
-- due either; in the order of creation those that wait are walked past.
local function add_due_retries(key, now, most, members)
  local from, step = 0, FIFO and most or RETRIES_AT_ONCE
  local left = most
  while left > 0 do
    local some = call('ZRANGE', key, from, from + step - 1)
    for _, member in ipairs(some) do
      if string.match(member, ' (%x+) ') <= now then
        members[#members + 1] = member
        left = left - 1
        if left == 0 then return end
      elseif FIFO then
        return
      end
    end
    if #some < step then return end
    from = from + step
  end
end

-- The ids of the first jobs that are ready, of executors that are all different: one look, or two, at the head of each
-- one's line.
local function ready(executors, now, most)
  local members, ids = {}, {}
  if most < 1 then return ids end
  for _, executor in ipairs(executors) do
    for _, member in ipairs(call('ZRANGE', root .. 'queued:' .. executor, 0, most - 1)) do
      members[#members + 1] = member
    end
    add_due_retries(root .. 'retry:' .. executor, now, most, members)
  end
  if #members > 1 then table.sort(members) end
  for place = 1, math.min(most, #members) do ids[place] = string.match(members[place], '%S+$') end
  return ids
end

local function active_jobs()
  local sum = 0
  for _, some in ipairs(call('HMGET', root .. 'counts', 'queued', 'retryable', 'leased', 'running')) do
    sum = sum + (some or 0)
  end
  return sum
end

-- The counts for admission of a tenant and a user, either of which may be absent.
local function admission(tenant, user, since)
  local function of(kind, name)
    if name == '' then return 0, 0 end
    local active = tonumber(call('HGET', root .. 'active:' .. kind, name) or 0)
    return active, call('ZLEXCOUNT', root .. 'created:' .. kind .. name, '[' .. since, '+')
  end
  local tenant_active, tenant_recent = of('tenant', tenant)
  local user_active, user_recent = of('user', user)
  return { active_jobs(), tenant_active, user_active, tenant_recent, user_recent }
end

-- Remembers the claim of a process, and forgets two that were last in use before a time and hold nothing.
local function remember(process, claim, used_at, forget_before)
  call('HSET', root .. 'claims', process, claim)
  call('ZADD', root .. 'claims:used', used_at, string.format('%20s', process))
  for _ = 1, forget_before and 2 or 0 do
    local oldest = call('ZRANGE', root .. 'claims:used', 0, 0, 'WITHSCORES')
    if not oldest[1] or tonumber(oldest[2]) >= forget_before then return end
    local other = string.match(oldest[1], '%d+')
    if call('HEXISTS', root .. 'held', other) == 1 then
      -- It is looked at again one memory later.
      call('ZADD', root .. 'claims:used', used_at, oldest[1])
    else
      call('ZREM', root .. 'claims:used', oldest[1])
      call('HDEL', root .. 'claims', other)
    end
  end
end

-- A worker that is known was seen.
local function seen(worker, at)
  if call('HEXISTS', root .. 'workers', worker) == 1 then call('HSET', root .. 'seen', worker, at) end
end
