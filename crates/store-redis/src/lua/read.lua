-- Finds what is asked for, one answer to a need.
local function rows(ids)
  local found = {}
  for _, id in ipairs(ids) do
    local row = load(id)
    if row then found[#found + 1] = row end
  end
  return found
end

local find = {
  time = function() return call('TIME') end,
  job = function() return rows({ take() }) end,
  key = function()
    local id = call('HGET', root .. 'keys', take())
    return rows({ id or nil })
  end,
  ready = function()
    local now, most, executors = take(), tonumber(take()), {}
    for place = 1, tonumber(take()) do executors[place] = take() end
    return rows(ready(executors, now, most))
  end,
  expired = function()
    local ids = {}
    for _, member in ipairs(call('ZRANGEBYLEX', root .. 'leases', '-', '[' .. take() .. '~', 'LIMIT', 0, take())) do
      ids[#ids + 1] = string.match(member, '%S+$')
    end
    return rows(ids)
  end,
  held = function() return tonumber(call('HGET', root .. 'held', take()) or 0) end,
  counts = function() return admission(take(), take(), take()) end,
  stats = function()
    local now = '[' .. take() .. '~'
    local due, over = call('ZLEXCOUNT', root .. 'due', '-', now), call('ZLEXCOUNT', root .. 'leases', '-', now)
    return { call('HGETALL', root .. 'counts'), due, over }
  end,
  number = function() return call('INCR', root .. 'number') - 1 end,
  last_claim = function() return call('HGET', root .. 'claims', take()) end,
  switch = function() return call('EXISTS', root .. 'shut') end,
  events = function()
    local id, first, last = take(), take(), take()
    if call('EXISTS', root .. 'job:' .. id) == 0 then return false end
    return { call('LLEN', root .. 'log:' .. id), call('LRANGE', root .. 'log:' .. id, first, last) }
  end,
  workers = function() return { call('HGETALL', root .. 'workers'), call('HGETALL', root .. 'seen') } end,
  -- So many jobs from a creation number on, with their logs.
  jobs = function()
    local found = {}
    for _, id in ipairs(call('ZRANGEBYSCORE', root .. 'numbers', take(), '+inf', 'LIMIT', 0, take())) do
      found[#found + 1] = { load(id), call('LRANGE', root .. 'log:' .. id, 0, -1) }
    end
    return found
  end,
}

local answers = {}
for place = 1, tonumber(take()) do answers[place] = find[take()]() end
return answers
