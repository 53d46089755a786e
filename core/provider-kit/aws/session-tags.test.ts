import { expect, it } from "vitest";
import { z } from "zod";
import { awsOptions } from "./options.ts";
import { sessionTagsOf } from "./session-tags.ts";

const options = z.strictObject(awsOptions({ name: "anything" }));
const given = (sessionTags: readonly string[]) => options.parse({ sessionTags });

it("are what the metadata says under the names that are to be tags, in their order", () => {
  const metadata = { team: "search", _user: "ann@example.com", other: "…!" };
  expect(sessionTagsOf(given(["_user", "team", "absent"]), metadata)).toEqual([
    { Key: "_user", Value: "ann@example.com" },
    { Key: "team", Value: "search" },
  ]);
});

it.each([
  ["no names", options.parse({}), { team: "search" }],
  ["no metadata", given(["team"]), undefined],
  ["other metadata", given(["toString"]), { team: "search" }],
])("are none with %s", (_, from, metadata) => expect(sessionTagsOf(from, metadata)).toBeUndefined());

it.each(["a;b", "x".repeat(257)])("that AWS does not take are the caller's mistake: %s", (team) => {
  expect(() => sessionTagsOf(given(["team"]), { team })).toThrowError(
    expect.objectContaining({ code: "invalid_request", message: expect.stringContaining('"team"') }),
  );
});

it.each([
  [["aws:team"], "a name that AWS takes"],
  [[""], "a name that AWS takes"],
  [["team", "Team"], "names that differ"],
  [Array.from({ length: 51 }, (_, at) => `tag-${at}`), "50"],
])("of names that AWS does not take stop the start: %j", (sessionTags, said) => {
  expect(JSON.stringify(options.safeParse({ sessionTags }).error)).toContain(said);
});
