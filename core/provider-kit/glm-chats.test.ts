import { expect, it } from "vitest";
import { glmChats } from "./glm-chats.ts";

const off = { thinking: { type: "disabled" } };
const on = { thinking: { type: "enabled", clear_thinking: false } };

it.each<[string, object, object, string[]]>([
  ["glm-5.3", { reasoning_effort: "medium" }, { reasoning_effort: "high" }, []],
  ["glm-5.3-flash", { reasoning_effort: "xhigh" }, { reasoning_effort: "max" }, []],
  ["glm-5.3", { reasoning_effort: "minimal" }, { reasoning_effort: "low" }, []],
  ["glm-5.3", { reasoning_effort: "none" }, { reasoning_effort: "low" }, ["reasoning_effort"]],
  ["glm-5.3", off, { reasoning_effort: "low" }, ["thinking"]],
  ["glm-6", { reasoning_effort: "high", ...on }, { reasoning_effort: "high", ...on }, []],
  ["glm-5.3", on, on, []],
  ["glm-5.2", { reasoning_effort: "medium" }, { reasoning_effort: "medium" }, []],
  ["glm-5-turbo", { reasoning_effort: "none" }, { reasoning_effort: "none", ...off }, []],
  ["glm-4.5v", { reasoning_effort: "none" }, { reasoning_effort: "none", ...off }, []],
  ["glm-4.6", { reasoning_effort: "none", ...on }, { reasoning_effort: "none", ...on }, []],
  ["glm-4-32b-0414-128k", { reasoning_effort: "none" }, { reasoning_effort: "none" }, []],
  ["glm-4.1v-thinking-flash", off, off, []],
  ["codegeex-4", { reasoning_effort: "medium" }, { reasoning_effort: "medium" }, []],
])("%s with %j: %j", (model, asked, told, lost) => {
  const dropped: string[] = [];
  expect(glmChats.apply({ model, ...asked }, (name) => dropped.push(name))).toEqual({ model, ...told });
  expect(dropped).toEqual(lost);
  expect(glmChats.when.some((text) => JSON.stringify(asked).includes(text))).toBe(true);
});
