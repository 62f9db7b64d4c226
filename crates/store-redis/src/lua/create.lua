-- Creates a job of which neither id nor key are known. Its times and its number are written over what was sent.
local now = clock()
local id, key, after = take(), take(), {}
for place = 1, #FIELDS do after[place] = take() end
if not exact(now) or call('EXISTS', root .. 'job:' .. id) == 1 or call('HEXISTS', root .. 'keys', key) == 1 then
  return false
end
after[NUMBER] = whole(call('INCR', root .. 'number') - 1)
for _, time in ipairs({ CREATED_AT, READY_AT, UPDATED_AT, COMPLETED_AT }) do
  if after[time] ~= '' then after[time] = hex(now) end
end
save(id, {}, after, { whole(now) .. ':' .. take() })
enrol(id, key, after[NUMBER])
return { now, after[NUMBER] }
