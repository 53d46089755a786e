import { rememberedFor } from "../../core/index.ts";
import { exactNumbers } from "./exact-numbers.ts";

/** Milliseconds that Redis keeps a counter beyond its time, for clocks that do not agree (policies.md section 11.3). */
const kept = 5000;

/**
 * A counter is a hash: \`t\` its total, \`h\` the sum of its holds where there are any, \`e\` when it expires, \`b\` when it
 * began, \`a\` and an id what is held under that id; beside it, a sorted set of those ids by when they end. Counters are named by their place in KEYS,
 * where each has two keys. Everything is worked out before anything is written: a script that fails is not undone. Every
 * answer begins with the time it was given at, in seconds and microseconds.
 */
const counters = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local loaded = {}

local function endHolds(c)
  local ended = redis.call('ZRANGEBYSCORE', c.holds, '-inf', now)
  if #ended == 0 then return end
  for _, id in ipairs(ended) do
    c.held = take(c.held, parse(redis.call('HGET', c.hash, 'a' .. id)))
    redis.call('HDEL', c.hash, 'a' .. id)
  end
  redis.call('ZREMRANGEBYSCORE', c.holds, '-inf', now)
  if isNone(c.held) then redis.call('HDEL', c.hash, 'h') else redis.call('HSET', c.hash, 'h', written(c.held)) end
end

local function counter(place)
  local c = loaded[place]
  if c then return c end
  c = { hash = KEYS[2 * place - 1], holds = KEYS[2 * place], total = zero, held = zero, expires = 0, kept = 0, born = now, ids = {} }
  loaded[place] = c
  local found = redis.call('HMGET', c.hash, 't', 'h', 'e', 'b')
  local expires = tonumber(found[3] or 0)
  if expires > now then
    c.total, c.held, c.expires, c.kept = parse(found[1]), parse(found[2]), expires, expires
    c.born, c.there = tonumber(found[4] or 0), true
    if found[2] then endHolds(c) end
  elseif found[3] then
    redis.call('DEL', c.hash, c.holds)
  end
  c.before = { total = c.total, held = c.held }
  return c
end

local function heldUnder(c, id)
  local known = c.ids[id]
  if known then return known.amount end
  if isNone(c.before.held) then return zero end
  return parse(redis.call('HGET', c.hash, 'a' .. id))
end

local function hold(c, id, amount, till)
  c.held = add(take(c.held, heldUnder(c, id)), amount)
  c.ids[id] = { amount = amount, till = till }
  c.changed = true
end

local function extend(c, expires)
  if expires > c.expires then c.expires = expires end
  c.changed, c.there = true, true
  -- One whose time is over is forgotten at once.
  if c.expires <= now then
    c.total, c.held, c.ids, c.before, c.there = zero, zero, {}, { total = zero, held = zero }, false
  end
end

local function save(c)
  if c.expires <= now then return redis.call('DEL', c.hash, c.holds) end
  local last = string.format('%.0f', c.expires + ${kept})
  if c.expires == c.kept then
    redis.call('HSET', c.hash, 't', written(c.total))
  else
    redis.call('HSET', c.hash, 't', written(c.total), 'e', string.format('%.0f', c.expires))
    if c.kept == 0 then redis.call('HSET', c.hash, 'b', string.format('%.0f', c.born)) end
    redis.call('PEXPIREAT', c.hash, last)
  end
  for id, held in pairs(c.ids) do
    if isNone(held.amount) then
      redis.call('HDEL', c.hash, 'a' .. id)
      redis.call('ZREM', c.holds, id)
    else
      redis.call('HSET', c.hash, 'a' .. id, written(held.amount))
      redis.call('ZADD', c.holds, held.till, id)
    end
  end
  if isNone(c.held) then
    if not isNone(c.before.held) then redis.call('HDEL', c.hash, 'h') end
  else
    redis.call('HSET', c.hash, 'h', written(c.held))
    redis.call('PEXPIREAT', c.holds, last)
  end
end

local function saveAll()
  for _, c in pairs(loaded) do if c.changed then save(c) end end
end

local function answer(...) return { time[1], time[2], ... } end
`;

const library = exactNumbers + counters;

/** ARGV, for each claim: place, limit, rule, amount, expiry, id and end of the hold, place of what is carried, millionths. */
export const claimScript = `${library}
local members = 9
local claims = #ARGV / members

local function totals(start, before)
  for i = 0, claims - 1 do
    local at = i * members
    local function sum(place)
      local c = counter(tonumber(ARGV[at + place]))
      if before then c = c.before end
      return add(c.total, c.held)
    end
    local there = sum(1)
    if ARGV[at + 8] ~= '0' then there = add(there, share(sum(8), tonumber(ARGV[at + 9]))) end
    start[#start + 1] = written(there)
  end
  return start
end

for i = 0, claims - 1 do
  local at = i * members
  local c = counter(tonumber(ARGV[at + 1]))
  local limit, amount, id = parse(ARGV[at + 2]), parse(ARGV[at + 4]), ARGV[at + 6]
  local there = add(c.total, c.held)
  if id ~= '' and not isNone(amount) then there = take(there, heldUnder(c, id)) end
  if ARGV[at + 8] ~= '0' then
    local carried = counter(tonumber(ARGV[at + 8]))
    there = add(there, share(add(carried.total, carried.held), tonumber(ARGV[at + 9])))
  end
  local holds
  if ARGV[at + 3] == 'below' then holds = less(there, limit) else holds = not less(limit, add(there, amount)) end
  if not holds then return totals(answer(i), true) end
  if not isNone(amount) then
    local till = tonumber(ARGV[at + 7])
    if id == '' then c.total = add(c.total, amount)
    elseif till > now then hold(c, id, amount, till)
    else hold(c, id, zero, till) end
    extend(c, tonumber(ARGV[at + 5]))
    if not (fits(c.total) and fits(add(c.total, c.held))) then return answer('range', written(add(c.total, c.held))) end
  end
end
saveAll()
return totals(answer(-1), false)`;

/**
 * ARGV: how many counters KEYS begin with, then for each entry: place, amount, expiry, id of the hold, since when. One more key
 * is where the totals are kept of a step that is done once.
 */
export const settleScript = `${library}
local once = KEYS[2 * tonumber(ARGV[1]) + 1]
local known = once and redis.call('GET', once)
if known then return answer('known', known) end
for at = 2, #ARGV, 5 do
  local c = counter(tonumber(ARGV[at]))
  local amount, id, since = parse(ARGV[at + 1]), ARGV[at + 3], ARGV[at + 4]
  if id ~= '' and not isNone(heldUnder(c, id)) then hold(c, id, zero, 0) end
  local isLost = since ~= '' and not (c.there and c.born <= tonumber(since))
  if not isNone(amount) and not isLost then
    c.total = add(c.total, amount)
    if not fits(c.total) then return answer('range', written(c.total)) end
    extend(c, tonumber(ARGV[at + 2]))
  end
end
local totals = {}
for at = 2, #ARGV, 5 do totals[#totals + 1] = written(counter(tonumber(ARGV[at])).total) end
totals = table.concat(totals, ',')
saveAll()
if once then redis.call('SET', once, totals, 'PX', ${rememberedFor}) end
return answer('done', totals)`;

/** ARGV, for each value: place, value, expiry. */
export const putScript = `${library}
for at = 1, #ARGV, 3 do
  local c = counter(tonumber(ARGV[at]))
  c.total = parse(ARGV[at + 1])
  extend(c, tonumber(ARGV[at + 2]))
end
saveAll()
return answer()`;

/** KEYS are the hashes alone. */
export const readScript = `${library}
local totals = {}
for _, key in ipairs(KEYS) do
  local found = redis.call('HMGET', key, 't', 'e')
  totals[#totals + 1] = tonumber(found[2] or 0) > now and found[1] or '0'
end
return answer(unpack(totals))`;
