import { describe, expect, it } from "vitest";
import { spliced } from "./asides.ts";

const results = { hook_results: { before_request_hooks: [] } };
const withResults = (text: string) => spliced(Buffer.from(text), results).toString();

describe("members added to a body", () => {
  it.each([
    ['{"a":1}', '{"a":1,"hook_results":{"before_request_hooks":[]}}'],
    ['{"a":"é"}\n ', '{"a":"é","hook_results":{"before_request_hooks":[]}}'],
    ["{}", '{"hook_results":{"before_request_hooks":[]}}'],
    ["{ \n}", '{"hook_results":{"before_request_hooks":[]}}'],
  ])("stand at the end of the object: %j", (given, expected) => {
    expect(withResults(given)).toBe(expected);
    expect(JSON.parse(withResults(given))).toMatchObject(results);
  });

  it.each(["[1]", '"text"', "", "  "])("change nothing in what is none: %j", (given) => {
    expect(withResults(given)).toBe(given);
  });

  it("leave bytes alone where there are none", () => {
    const bytes = Buffer.from('{"a":1}');
    expect(spliced(bytes, {})).toBe(bytes);
  });

  it("stand in place of those that the body has already, and only of those", () => {
    expect(withResults('{"hook_results":{"of":"the vendor"},"a":1}')).toBe(
      '{"hook_results":{"before_request_hooks":[]},"a":1}',
    );
    const nested = '{"a":{"hook_results":1},"b":"\\"hook_results\\""}';
    expect(JSON.parse(withResults(nested))).toEqual({ ...JSON.parse(nested), ...results });
    expect(withResults('{"hook_results" broken}')).toBe('{"hook_results" broken}');
  });
});
