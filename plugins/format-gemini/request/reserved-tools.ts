import { compact, type Fields, type FunctionTool, isRecord } from "../../../core/index.ts";

/** A tool of the vendor's own, and what it wants said in `toolConfig`. */
interface Reserved {
  readonly tool: Fields;
  readonly config?: Fields;
}

type Making = (parameters: Readonly<Fields>) => Reserved;

/** `time_range_filter` of a tool's parameters in the vendor's spelling. */
const optional = (parameters: Readonly<Fields>, name: string): Fields => {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return compact({ [name]: parameters[name] ?? parameters[snake] });
};

const search: Making = (parameters) => ({ tool: { googleSearch: optional(parameters, "timeRangeFilter") } });
const retrieval: Making = (parameters) => ({
  tool: { googleSearchRetrieval: optional(parameters, "dynamicRetrievalConfig") },
});
const computer: Making = (parameters) => ({
  tool: {
    computerUse: { ...optional(parameters, "environment"), ...optional(parameters, "excludedPredefinedFunctions") },
  },
});
const maps: Making = (parameters) => ({
  tool: { googleMaps: optional(parameters, "enableWidget") },
  config: optional(parameters, "retrievalConfig"),
});
const enterprise: Making = () => ({ tool: { enterpriseWebSearch: {} } });

/** Functions that are no functions: chat clients name the vendor's own tools so (providers.md section 7.4). */
const reserved: ReadonlyMap<string, Making> = new Map([
  ["google_search", search],
  ["googleSearch", search],
  ["google_search_retrieval", retrieval],
  ["googleSearchRetrieval", retrieval],
  ["computer_use", computer],
  ["computerUse", computer],
  ["google_maps", maps],
  ["googleMaps", maps],
  ["enterprise_web_search", enterprise],
  ["enterpriseWebSearch", enterprise],
]);

export const reservedTool = ({ name, parameters }: FunctionTool): Reserved | undefined =>
  reserved.get(name)?.(isRecord(parameters) ? parameters : {});
