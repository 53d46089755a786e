/**
 * Whole numbers in Lua, which has doubles only: a pair of parts, hi * 10^15 + lo with 0 <= lo < 10^15, each of them far
 * below 2^53 as long as the number is below 10^28. Decimal text goes in and comes out.
 */
export const exactNumbers = `
local base = 1e15
local function pair(hi, lo)
  if lo >= base then return { hi + 1, lo - base } end
  if lo < 0 then return { hi - 1, lo + base } end
  return { hi, lo }
end
local zero = { 0, 0 }
local function parse(text)
  if not text then return zero end
  local negative = string.byte(text) == 45
  if negative then text = string.sub(text, 2) end
  local cut = #text - 15
  local hi, lo = 0, 0
  if cut > 0 then hi, lo = tonumber(string.sub(text, 1, cut)), tonumber(string.sub(text, cut + 1))
  else lo = tonumber(text) end
  -- Not -lo, which of 0 is a zero with a sign.
  if negative then return pair(0 - hi, 0 - lo) end
  return { hi, lo }
end
local function written(a)
  local sign, hi, lo = '', a[1], a[2]
  if hi < 0 then
    sign, hi = '-', -hi
    if lo > 0 then hi, lo = hi - 1, base - lo end
  end
  if hi == 0 then return sign .. string.format('%.0f', lo) end
  return sign .. string.format('%.0f%015.0f', hi, lo)
end
local function add(a, b) return pair(a[1] + b[1], a[2] + b[2]) end
local function take(a, b) return pair(a[1] - b[1], a[2] - b[2]) end
local function isNone(a) return a[1] == 0 and a[2] == 0 end
local function less(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]) end
local function fits(a) return a[1] < 1e12 and a[1] >= -1e12 end
-- So many millionths of a number, rounded down.
local function share(a, millionths)
  local hi = a[1] % 1e6 * millionths
  local lo = math.floor(a[2] / 1e6) * millionths + math.floor(a[2] % 1e6 * millionths / 1e6)
  return pair(math.floor(a[1] / 1e6) * millionths + math.floor(hi / 1e6), hi % 1e6 * 1e9 + lo)
end
`;
