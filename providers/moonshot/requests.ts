import {
  forcesTool,
  isRecord,
  isThinkingOff,
  type Rewrite,
  withoutParts,
  withThoughts,
  withThreeEfforts,
} from "../../core/provider-kit/index.ts";
import { fixed, type Thinking, thinkingOf } from "./families.ts";
import { typedTool } from "./schemas.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/** Sampling of a model that thinks is its own; what asks for another one is reported. */
function unsampled(wire: Wire, report: Report): Wire {
  const left = { ...wire };
  for (const [name, values] of Object.entries(fixed)) {
    const said = left[name];
    if (said !== undefined && said !== null && !values.includes(said)) report?.(name);
    delete left[name];
  }
  return left;
}

/** One switch, and no effort beside it: "cannot specify both 'thinking' and 'reasoning_effort'". Forced calls need it off. */
function switched({ reasoning_effort: effort, thinking: own, ...wire }: Wire, report: Report): Wire {
  if (forcesTool(wire)) {
    if (isRecord(own) && !isThinkingOff(own)) report?.("thinking");
    if (typeof effort === "string" && effort !== "none") report?.("reasoning_effort");
    return { ...wire, thinking: { type: "disabled" } };
  }
  if (own !== undefined) return { ...wire, thinking: own };
  return typeof effort === "string"
    ? { ...wire, thinking: { type: effort === "none" ? "disabled" : "enabled" } }
    : wire;
}

/** Thinking is never off, and the choice of tools never forced: "tool_choice 'required' is incompatible with thinking enabled". */
function always({ reasoning_effort: effort, thinking: own, ...wire }: Wire, report: Report): Wire {
  if (effort === "none") report?.("reasoning_effort");
  if (isThinkingOff(own)) report?.("thinking");
  const kept = own === undefined || isThinkingOff(own) ? wire : { ...wire, thinking: own };
  if (!forcesTool(wire)) return kept;
  report?.("tool_choice");
  return { ...kept, tool_choice: "auto" };
}

/** How much to think is said by its effort alone. Of forced calls only those of any tool are taken. */
function graded(asked: Wire, report: Report): Wire {
  const { thinking: _, ...wire } = withThreeEfforts(asked, report);
  if (!isRecord(wire.tool_choice) || !forcesTool(wire)) return wire;
  if (Array.isArray(wire.tools) && wire.tools.length > 1) report?.("tool_choice");
  return { ...wire, tool_choice: "required" };
}

const families: Readonly<Record<Thinking, (wire: Wire, report: Report) => Wire>> = { switched, always, graded };

/** Models see texts, images and videos; other parts are refused. */
const isUnseen = ({ type }: Wire): boolean => type === "file" || type === "input_audio";

function shown(wire: Wire, thinks: boolean, report: Report): Wire {
  const { messages, tools } = wire;
  const told = Array.isArray(messages) ? withoutParts(messages, isUnseen, report) : undefined;
  return {
    ...wire,
    // "reasoning_content is missing in assistant tool call message"
    ...(told && { messages: thinks ? withThoughts(told) : told }),
    ...(Array.isArray(tools) && { tools: tools.map(typedTool) }),
  };
}

/** Chats as each of the vendor's models takes them (platform.kimi.ai/docs/api/models-overview). */
export const chats: Rewrite = {
  when: [
    '"assistant"',
    '"anyOf"',
    '"file"',
    '"input_audio"',
    '"reasoning_effort"',
    '"thinking"',
    '"tool_choice"',
    ...Object.keys(fixed).map((name) => `"${name}"`),
  ],
  apply(wire, report) {
    const thinking = thinkingOf(wire.model);
    const asked = thinking ? families[thinking](unsampled(wire, report), report) : wire;
    const thinks = thinking ? !isThinkingOff(asked.thinking) : /^kimi-.*-thinking/.test(String(wire.model));
    return { ...shown(asked, thinks, report) };
  },
};
