import { expect, it } from "vitest";
import { clientId } from "./client-id.ts";

it.each([
  ["call_0", "call_0-ab1"],
  ["functions.look:3", "functions_look_3-ab1"],
  ["call_0-ab1", "call_0-ab1"],
  ["toolu_01", "toolu_01"],
  ["call_e050308cfd179cc7_0_0", "call_e050308cfd179cc7_0_0"],
  ["gateway-aBcDeFgHiJ4LmNo-0-0", "gateway-aBcDeFgHiJ4LmNo-0-0"],
  ["functions.get_weatherforecast:0", "functions_get_weatherforecast_0-ab1"],
  ["call_AbC123", "call_AbC123"],
  [`look_${"w".repeat(80)}`, expect.stringMatching(/^look_w{42}-[0-9a-f]{16}$/)],
])("a client is given the call %s as %s", (id, wanted) => {
  expect(clientId(id, "ab1", 64)).toEqual(wanted);
});
