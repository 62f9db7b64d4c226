-- Operations on held jobs, then a claim, where all of it goes the plain way: every guard passes, no cancel was asked
-- for, nothing is repeated, and no lease is to be taken over. Anything else is left to the general way.
local now = clock()
if not exact(now) then return false end
local at = whole(now)
local time = hex(now)

local function text(value) return cjson.encode(value) end

-- The lease is over, and leaves its line among the past attempts.
local function end_lease(before, after, lease, ending)
  local process = lease.process == '-' and 'null' or lease.process
  local line = '{"attempt":' .. lease.attempt .. ',"token":"' .. lease.token .. '","incarnation":' .. process
    .. ',"ending":' .. ending .. '}'
  after[PAST] = before[PAST] == '' and line or before[PAST] .. ',' .. line
  after[LEASE] = ''
end

-- What each kind of operation does to a row; it answers with the event, or none, or with false where this is not the
-- plain way.
local change = {
  start = function(before, after, lease)
    local at_start, enforced = take() == '1', take() == '1'
    if before[STATUS] ~= 'leased' then return false end
    after[STATUS] = 'running'
    if before[STARTED_AT] == '' then after[STARTED_AT] = time end
    if at_start then after[CHARGED] = whole(before[CHARGED] + 1) end
    if enforced then
      local deadline = now + before[TIMEOUT]
      if not exact(deadline) then return false end
      lease.deadline = hex(deadline)
      if lease.deadline < lease.expires then lease.expires = lease.deadline end
      after[LEASE] = lease_value(lease)
    end
    return '{"Started":{"worker":' .. text(lease.worker) .. ',"attempt":' .. before[ATTEMPTS] .. '}}'
  end,

  heartbeat = function(before, after, lease)
    local over, extend, enforced, logged = now + take(), take() == '1', take() == '1', take() == '1'
    if before[CANCEL] ~= '' or not exact(over) then return false end
    lease.heartbeat = time
    -- Before the start there is no deadline, and nothing is renewed.
    if not enforced or before[STATUS] == 'running' then
      local expires = hex(over)
      if lease.deadline ~= '-' and lease.deadline < expires then expires = lease.deadline end
      if not extend or expires > lease.expires then lease.expires = expires end
    end
    after[LEASE] = lease_value(lease)
    return logged and '{"Heartbeat":{"worker":' .. text(lease.worker) .. ',"expires_at":'
      .. whole(unhex(lease.expires)) .. '}}' or nil
  end,

  progress = function() return take() end,

  complete = function(before, after, lease)
    local result, cleared = take(), take() == '1'
    if before[CANCEL] ~= '' then return false end
    end_lease(before, after, lease, '{"Completed":' .. result .. '}')
    after[RESULT] = result
    after[STATUS] = 'succeeded'
    after[REASON] = ''
    after[COMPLETED_AT] = time
    if cleared then
      after[ERROR] = ''
      after[NEXT_ATTEMPT_AT] = ''
    end
    return '{"Succeeded":{"result":' .. result .. '}}'
  end,

  fail = function(before, after, lease)
    local failure, code, retryable, delay = take(), take(), take() == '1', tonumber(take())
    local bounded, at_start, back_off, back_off_max = take() == '1', take() == '1', take(), tonumber(take())
    local unstarted_max = tonumber(take())
    if before[CANCEL] ~= '' then return false end
    end_lease(before, after, lease, '{"Failed":' .. failure .. '}')
    after[ERROR] = failure
    after[REASON] = code
    local left = tonumber(before[CHARGED]) < tonumber(before[ATTEMPTS_MAX])
    if at_start and before[STATUS] ~= 'running' then
      after[UNSTARTED] = whole(before[UNSTARTED] + 1)
      left = tonumber(after[UNSTARTED]) < unstarted_max
    end
    if not (retryable and left) then
      after[STATUS] = 'failed'
      after[NEXT_ATTEMPT_AT] = ''
      after[COMPLETED_AT] = time
      return '{"Failed":{"error":' .. failure .. '}}'
    end
    local wait = delay
    if bounded then
      local losses = after[CHARGED] + after[UNSTARTED]
      local doubled = back_off * 2 ^ math.min(math.max(losses - 1, 0), 62)
      wait = math.max(math.min(doubled, back_off_max), 1, math.min(delay, back_off_max))
    end
    if not exact(now + wait) then return false end
    after[STATUS] = 'retryable'
    after[NEXT_ATTEMPT_AT] = hex(now + wait)
    after[READY_AT] = after[NEXT_ATTEMPT_AT]
    after[COMPLETED_AT] = ''
    return '{"RetryScheduled":{"error":' .. failure .. ',"next_attempt_at":' .. whole(now + wait) .. '}}'
  end,
}

-- What an operation comes to, or false.
local function judge(known)
  local id, token, attempt, process = take(), take(), take(), take()
  local unexpired, announces = take() == '1', take() == '1'
  local from_leased, from_running = take() == '1', take() == '1'
  -- What is done twice in one step is a repeat.
  if known[id] then return false end
  known[id] = true
  local before = load(id)
  local lease = before and lease_of(before)
  if not lease or lease.token ~= token
    or (attempt ~= '' and attempt ~= lease.attempt) or (process ~= '' and process ~= lease.process)
    or (unexpired and time >= lease.expires)
    or not ((from_leased and before[STATUS] == 'leased') or (from_running and before[STATUS] == 'running'))
    or string.find(before[PAST], '"token":"' .. token .. '"', 1, true) then
    return false
  end
  local after = changing(before)
  after[UPDATED_AT] = time
  local event = change[take()](before, after, lease)
  if event == false then return false end
  local events = event and { at .. ':' .. event } or {}
  return { id = id, before = before, after = after, events = events, seen = announces and lease.worker }
end

-- What a claim asks for, or false where it is a repeat or leases are due.
local function read_claim()
  local claim = { worker = take(), process = take(), number = take(), forget_before = now - take() }
  local grace, ask_switch, held_max = take(), take() == '1', tonumber(take())
  claim.expires = now + take()
  claim.at_claim, claim.cleared = take() == '1', take() == '1'
  claim.executors, claim.tokens = {}, {}
  for place = 1, tonumber(take()) do claim.executors[place] = take() end
  for place = 1, tonumber(take()) do claim.tokens[place] = take() end
  if not exact(claim.expires) then return false end
  if claim.number ~= '' then
    local last = call('HGET', root .. 'claims', claim.process)
    if last and claim.number <= string.match(last, '^%d+') then return false end
  end
  if grace ~= '' then
    local until_time = now - grace
    local first = call('ZRANGE', root .. 'leases', 0, 0)[1]
    if not exact(until_time) or (first and string.sub(first, 1, 16) <= hex(until_time)) then return false end
  end
  claim.shut = ask_switch and call('EXISTS', root .. 'shut') == 1
  claim.held_max = claim.process ~= '' and held_max
  return claim
end

local function grant(claim, id, token)
  local before = load(id)
  local after = changing(before)
  local attempt = whole(before[ATTEMPTS] + 1)
  after[ATTEMPTS] = attempt
  if claim.at_claim then after[CHARGED] = whole(before[CHARGED] + 1) end
  if claim.cleared then after[ERROR] = '' end
  after[STATUS] = 'leased'
  after[REASON] = ''
  after[NEXT_ATTEMPT_AT] = ''
  after[COMPLETED_AT] = ''
  after[UPDATED_AT] = time
  after[LEASE] = lease_value({
    expires = hex(claim.expires), process = claim.process == '' and '-' or claim.process, attempt = attempt,
    token = token, acquired = time, heartbeat = time, deadline = '-', worker = claim.worker,
  })
  save(id, before, after, { at .. ':{"Leased":{"worker":' .. text(claim.worker) .. ',"executor":'
    .. text(before[EXECUTOR]) .. ',"attempt":' .. attempt .. ',"expires_at":' .. whole(claim.expires) .. '}}' })
  return whole_row(after), id .. ' ' .. attempt
end

local function hand_out(claim)
  local most = claim.shut and 0 or #claim.tokens
  if claim.held_max then
    local held = tonumber(call('HGET', root .. 'held', claim.process) or 0)
    most = math.min(most, math.max(claim.held_max - held, 0))
  end
  local granted, memory = {}, { claim.number, at }
  for place, id in ipairs(ready(claim.executors, time, most)) do
    granted[place], memory[place + 2] = grant(claim, id, claim.tokens[place])
  end
  if claim.number ~= '' then
    remember(claim.process, table.concat(memory, ' '), at, claim.forget_before)
  end
  return granted
end

local judged, known = {}, {}
for place = 1, tonumber(take()) do
  judged[place] = judge(known)
  if not judged[place] then return false end
end
local claim
if take() == '1' then
  claim = read_claim()
  if not claim then return false end
end

local settled = {}
for place, operation in ipairs(judged) do
  save(operation.id, operation.before, operation.after, operation.events)
  if operation.seen then seen(operation.seen, at) end
  settled[place] = whole_row(operation.after)
end
return { now, settled, claim and hand_out(claim) or {} }
