import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { subjectOf } from "../../subject.ts";
import { conflictsOf, refusedTools, toolRules } from "../../tools-asked-for.ts";

export default defineCheck({
  id: "default.blockedTools",
  summary: "Passes requests that offer no tool but those allowed; default.requestParametersCheck does more.",
  parameters: z.object(toolRules),
  targets: ["request"],
  run(input, rules) {
    const conflicts = conflictsOf(rules);
    if (conflicts.length > 0) throw new CheckError(`Allowed and blocked at once: ${conflicts.join(", ")}.`);
    const blockedToolsFound = refusedTools(subjectOf(input).request.json, rules);
    const names = blockedToolsFound.map(({ name }) => name).join(", ");
    const explanation = names === "" ? "All tools may be offered." : `Not to be offered: ${names}.`;
    return { verdict: blockedToolsFound.length === 0, data: { blockedToolsFound, explanation } };
  },
  table: {
    passes: [
      {
        parameters: { allowedTypes: ["function"], allowedFunctionNames: ["find"] },
        subject: {
          request: { input: ["x", { type: "mcp_list_tools", tools: [{ name: "drop" }] }], tools: [{ name: "find" }] },
        },
      },
      { parameters: { blockedTypes: ["web_search"] }, subject: { request: { tools: [{ name: "find" }] } } },
      {
        parameters: { allowedTypes: ["function"] },
        subject: { request: { web_search_options: null, mcp_servers: [], plugins: [{ id: "file-parser" }] } },
      },
      { parameters: { allowedFunctionNames: ["find"] }, subject: { request: {} }, data: { blockedToolsFound: [] } },
      {
        parameters: { allowedTypes: ["function"], allowedFunctionNames: ["find"] },
        subject: {
          request: { toolConfig: { tools: [{ toolSpec: { name: "find" } }, { cachePoint: { type: "default" } }] } },
        },
      },
    ],
    fails: [
      {
        parameters: { blockedFunctionNames: ["drop"] },
        subject: { request: { tools: [{ type: "function", function: { name: "drop" } }] } },
        data: { blockedToolsFound: [{ type: "function", name: "drop", reasons: ["name_blocked"] }] },
      },
      ...(
        [
          ["function", "drop", { toolConfig: { tools: [{ toolSpec: { name: "drop" } }] } }],
          ["function", "drop", { tools: { functionDeclarations: { name: "drop" } } }],
          ["function", "drop", { functions: [{ name: "find" }, { name: "drop" }] }],
          ...["additional_tools", "tool_search_output"].map(
            (type) => ["function", "drop", { input: [{ type, tools: [{ type: "function", name: "drop" }] }] }] as const,
          ),
          ["custom", "drop", { tools: [{ type: "custom", custom: { name: "drop" } }] }],
          ["function", "drop", { tools: [null, { functionDeclarations: [null, { name: "drop" }] }] }],
          [
            "function",
            "drop",
            { tools: [{ type: "namespace", name: "crm", tools: [{ type: "function", name: "drop" }] }] },
          ],
        ] as const
      ).map(([type, name, request]) => ({
        parameters: { blockedFunctionNames: ["drop"] },
        subject: { request },
        data: { blockedToolsFound: [{ type, name, reasons: ["name_blocked"] }] },
      })),
      ...[{ blockedTypes: ["google_search"] }, { blockedTypes: ["googleSearch"] }].map((parameters) => ({
        parameters,
        subject: { request: { tools: [{ functionDeclarations: [{ name: "find" }], googleSearch: {} }] } },
        data: { blockedToolsFound: [{ type: "googleSearch", name: "googleSearch", reasons: ["type_blocked"] }] },
      })),
      ...(
        [
          ["mcpServers", "crm", { tools: [{ mcpServers: [{ name: "crm" }] }] }],
          ["systemTool", "nova_grounding", { toolConfig: { tools: [{ systemTool: { name: "nova_grounding" } }] } }],
          ["web_search_options", "web_search_options", { web_search_options: {} }],
          ["mcp_servers", "crm", { mcp_servers: [{ type: "url", url: "https://crm.example", name: "crm" }] }],
          ["plugins", "web", { plugins: [{ id: "response-healing" }, { id: "web" }] }],
        ] as const
      ).map(([type, name, request]) => ({
        parameters: { allowedTypes: ["function"] },
        subject: { request },
        data: { blockedToolsFound: [{ type, name, reasons: ["type_not_allowed"] }] },
      })),
      { parameters: { blockedTypes: ["a"], allowedTypes: ["a"] }, subject: { request: {} }, error: "at once: a" },
    ],
  },
});
