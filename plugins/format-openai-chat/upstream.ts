import type { Format } from "../../core/index.ts";

/**
 * How vendors other than the one that made this format serve it: they know the older name of the token limit only, and
 * no role `developer`.
 */
export const upstream: NonNullable<Format["upstream"]> = {
  path: "/chat/completions",
  renames: { max_completion_tokens: "max_tokens" },
  rewrite: {
    when: ['"developer"'],
    apply: (wire) =>
      Array.isArray(wire.messages) ? { ...wire, messages: wire.messages.map(withoutDeveloper) } : { ...wire },
  },
};

const withoutDeveloper = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "role" in message && message.role === "developer"
    ? { ...message, role: "system" }
    : message;
