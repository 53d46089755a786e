import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { subjectOf } from "../../subject.ts";
import { conflictsOf, inBoth, refusedTools, toolRules } from "../../tools-asked-for.ts";

const strings = z.array(z.string()).default([]);
const anything = z.array(z.unknown()).default([]);
const params = z.object({
  blockedKeys: strings,
  allowedKeys: strings,
  values: z.record(z.string(), z.object({ blockedValues: anything, allowedValues: anything })).default({}),
});
type ParamRules = z.output<typeof params>;

export default defineCheck({
  id: "default.requestParametersCheck",
  summary: "Passes requests with tools, parameters and values of parameters that are allowed.",
  parameters: z.object({
    tools: z.object(toolRules).optional().describe("Which tools may be offered."),
    params: params.optional().describe("Which keys the request may have, and which values of them."),
  }),
  targets: ["request"],
  run(input, { tools, params }) {
    const { json } = subjectOf(input).request;
    const conflicts = [...(tools ? conflictsOf(tools) : []), ...(params ? conflictsIn(params) : [])];
    if (conflicts.length > 0) throw new CheckError(`Allowed and blocked at once: ${conflicts.join(", ")}.`);
    const blockedToolsFound = tools ? refusedTools(json, tools) : [];
    const blockedParamsFound = params ? refusedParams(json, params) : [];
    const count = blockedToolsFound.length + blockedParamsFound.length;
    const explanation =
      count === 0
        ? "All tools and parameters may be there."
        : `Not to be there: ${[...blockedToolsFound.map(({ name }) => name), ...blockedParamsFound.map(({ param }) => param)].join(", ")}.`;
    return { verdict: count === 0, data: { blockedToolsFound, blockedParamsFound, explanation } };
  },
  table: {
    passes: [
      { subject: { request: { seed: 1 } }, data: { blockedToolsFound: [], blockedParamsFound: [] } },
      { parameters: { tools: {}, params: {} }, subject: { request: { tools: [{ type: "x" }], seed: 1 } } },
      { parameters: { params: { values: { n: { allowedValues: [1] } } } }, subject: { request: { model: "m" } } },
      {
        parameters: { tools: { allowedFunctionNames: ["find"] } },
        subject: {
          request: { tools: [{ name: "find", input_schema: {} }, { functionDeclarations: [{ name: "find" }] }] },
        },
      },
    ],
    fails: [
      {
        parameters: { tools: { blockedTypes: ["function"], allowedFunctionNames: ["find"] } },
        subject: { request: { tools: [{ type: "function", function: { name: "drop" } }, { type: "web_search" }] } },
        data: {
          blockedToolsFound: [
            { type: "function", name: "drop", reasons: ["type_blocked", "name_not_allowed"] },
            { type: "web_search", name: "web_search", reasons: ["name_not_allowed"] },
          ],
        },
      },
      {
        parameters: { tools: { allowedTypes: ["custom"], blockedFunctionNames: ["b"] } },
        subject: { request: { tools: [{ name: "b" }] } },
        data: { blockedToolsFound: [{ type: "function", name: "b", reasons: ["name_blocked", "type_not_allowed"] }] },
      },
      {
        parameters: {
          params: {
            blockedKeys: ["seed"],
            allowedKeys: ["model", "n", "user"],
            values: { n: { allowedValues: [1] }, user: { blockedValues: ["root"] } },
          },
        },
        subject: { request: { model: "m", seed: 7, n: 2, user: "root" } },
        data: {
          blockedParamsFound: [
            { param: "seed", reasons: ["key_blocked", "key_not_allowed"] },
            { param: "n", value: 2, reasons: ["value_not_allowed"] },
            { param: "user", value: "root", reasons: ["value_blocked"] },
          ],
        },
      },
      {
        parameters: { params: { blockedKeys: ["a"], allowedKeys: ["a"] } },
        subject: { request: {} },
        error: "at once: a",
      },
    ],
  },
});

const conflictsIn = ({ allowedKeys, blockedKeys, values }: ParamRules): unknown[] => [
  ...inBoth(allowedKeys, blockedKeys),
  ...Object.values(values).flatMap(({ allowedValues, blockedValues }) => inBoth(allowedValues, blockedValues)),
];

function refusedParams(json: unknown, { blockedKeys, allowedKeys, values }: ParamRules) {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([param, value]) => {
    const { blockedValues = [], allowedValues = [] } = (Object.hasOwn(values, param) && values[param]) || {};
    const ofValue = [
      ...(blockedValues.includes(value) ? ["value_blocked"] : []),
      ...(allowedValues.length > 0 && !allowedValues.includes(value) ? ["value_not_allowed"] : []),
    ];
    const reasons = [
      ...(blockedKeys.includes(param) ? ["key_blocked"] : []),
      ...(allowedKeys.length > 0 && !allowedKeys.includes(param) ? ["key_not_allowed"] : []),
      ...ofValue,
    ];
    return reasons.length > 0 ? [{ param, ...(ofValue.length > 0 && { value }), reasons }] : [];
  });
}
