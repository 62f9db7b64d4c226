-- Makes changes if all conditions hold, and says whether it did.
local holds = {
  unchanged = function()
    local id, revision = take(), take()
    return call('HGET', root .. 'job:' .. id, 'revision') == revision
  end,
  no_job = function() return call('EXISTS', root .. 'job:' .. take()) == 0 end,
  no_key = function() return call('HEXISTS', root .. 'keys', take()) == 0 end,
  last_claim = function()
    local claim = call('HGET', root .. 'claims', take())
    return (claim and string.match(claim, '^%d+') or '') == take()
  end,
  held = function() return (call('HGET', root .. 'held', take()) or '0') == take() end,
  switch = function() return call('EXISTS', root .. 'shut') == tonumber(take()) end,
  counts = function()
    for _, some in ipairs(admission(take(), take(), take())) do
      if some ~= tonumber(take()) then return false end
    end
    return true
  end,
}

local make = {
  job = function()
    local id, key, after, events = take(), take(), {}, {}
    for place = 1, #FIELDS do after[place] = take() end
    for place = 1, tonumber(take()) do events[place] = take() end
    save(id, load(id) or {}, after, events)
    if key ~= '' then enrol(id, key, after[NUMBER]) end
  end,
  last_claim = function() remember(take(), take(), take(), tonumber(take())) end,
  announced = function()
    local worker, announcement, at = take(), take(), take()
    local known = call('HGET', root .. 'workers', worker)
    local place = known and string.match(known, '^%d+') or call('HLEN', root .. 'workers')
    call('HSET', root .. 'workers', worker, place .. ' ' .. announcement)
    call('HSET', root .. 'seen', worker, at)
  end,
  seen = function() seen(take(), take()) end,
  open = function() call('DEL', root .. 'shut') end,
  shut = function() call('SET', root .. 'shut', 1) end,
}

for _ = 1, tonumber(take()) do
  if not holds[take()]() then return 0 end
end
for _ = 1, tonumber(take()) do make[take()]() end
return 1
