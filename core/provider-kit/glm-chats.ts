import type { Rewrite } from "../model/operation-spec.ts";
import { withThreeEfforts } from "./thinking-chats.ts";

type Wire = Readonly<Record<string, unknown>>;

/** How old a model is by its name: `glm-4.5-air` is 4.5. */
function generationOf(model: unknown): number | undefined {
  const [, generation] = /^glm-(\d+(?:\.\d)?)(?![\d.])/.exec(String(model)) ?? [];
  return generation === undefined ? undefined : Number(generation);
}

/** Before GLM-5.3 thinking has a switch, from GLM-4.5 on, which the effort of clients turns off where they say nothing of it. */
const switched = (wire: Wire): Wire =>
  wire.reasoning_effort === "none" && wire.thinking === undefined ? { ...wire, thinking: { type: "disabled" } } : wire;

/**
 * Chats as GLM models take them: from GLM-5.3 on they always think, and know three efforts: "only max, high and low are
 * supported. Any other input will result in an error" (docs.z.ai/guides/capabilities/thinking).
 */
export const glmChats: Rewrite = {
  when: ['"reasoning_effort"', '"thinking"'],
  apply(wire, report) {
    const generation = generationOf(wire.model);
    if (generation === undefined || generation < 4.5) return { ...wire };
    return { ...(generation < 5.3 ? switched(wire) : withThreeEfforts(wire, report)) };
  },
};
