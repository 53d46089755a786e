import { hash } from "node:crypto";
import { isRecord } from "../codec-kit/records.ts";
import type { Rewrite } from "../model/operation-spec.ts";
import { cacheMarkers, withoutCacheMarkers } from "./cache-markers.ts";
import { answeredFields, knownMessages } from "./known-messages.ts";
import { withParts } from "./with-parts.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Ids of calls are nine letters and digits; others, of histories with another vendor, are digests of that length. */
const callId = (id: unknown): unknown =>
  typeof id !== "string" || /^[A-Za-z0-9]{9}$/.test(id) ? id : hash("sha256", id).slice(0, 9);

function withCallIds(message: Wire): Wire {
  const { tool_calls: calls, tool_call_id: id } = message;
  return {
    ...message,
    ...(id !== undefined && { tool_call_id: callId(id) }),
    ...(Array.isArray(calls) && { tool_calls: calls.map((call: Wire) => ({ ...call, id: callId(call.id) })) }),
  };
}

const isInstruction = ({ role }: Wire): boolean => role === "system" || role === "developer";

/**
 * Instructions follow a user or other instructions ("Unexpected role 'system' after role 'assistant'"). Those before a question are said
 * behind it, and others in front of the conversation.
 * github.com/mistralai/mistral-common, protocol/instruct/validator.py
 */
function afterUsers(messages: readonly unknown[]): unknown[] {
  const front: unknown[] = [];
  const said: unknown[] = [];
  let waiting: unknown[] = [];
  let follows = true;
  for (const message of messages) {
    const known = isRecord(message) ? message : {};
    if (isInstruction(known)) {
      if (said.length === 0) front.push(message);
      else (follows ? said : waiting).push(message);
      continue;
    }
    follows = known.role === "user";
    if (follows) said.push(message, ...waiting);
    else {
      front.push(...waiting);
      said.push(message);
    }
    waiting = [];
  }
  return [...front, ...waiting, ...said];
}

/** A user may not speak right after a tool: the model is given a turn in between that says nothing. */
function afterTools(messages: readonly unknown[]): unknown[] {
  const all: unknown[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (isRecord(message) && message.role === "user" && isRecord(last) && last.role === "tool")
      all.push({ role: "assistant", content: "…" });
    all.push(isRecord(message) ? withCallIds(message) : message);
  }
  return all;
}

/** Documents have an address here, which may hold their bytes, and files of the vendor stand without a box around them. */
function documentOf(part: unknown): unknown {
  if (!isRecord(part) || part.type !== "file" || !isRecord(part.file)) return part;
  const {
    file_id: id,
    file_data: data,
    file_url: url,
    filename: name,
    mime_type: type = "application/pdf",
  } = part.file;
  if (typeof id === "string") return { type: "file", file_id: id };
  const named = typeof name === "string" ? { document_name: name } : {};
  const bytes = typeof data !== "string" || data.startsWith("data:") ? data : `data:${type};base64,${data}`;
  const address = bytes ?? url;
  return typeof address === "string" ? { type: "document_url", document_url: address, ...named } : part;
}

/** Fields of chats elsewhere which the vendor refuses: "Extra inputs are not permitted" (mistralai/platform-docs-public#7). */
const unknownFields: readonly string[] = [
  "audio",
  "function_call",
  "functions",
  "logit_bias",
  "logprobs",
  "modalities",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
  "store",
  "thinking",
  "top_k",
  "top_logprobs",
  "user",
  "verbosity",
  "web_search_options",
];

const unknownInMessages: readonly string[] = ["function_call", "name", ...answeredFields];

const quoted = (text: string): string => `"${text}"`;

/** Who is asked for whichever tier there is, or for the one everybody has: there are no words for others. */
const tiers: Readonly<Record<string, string>> = {
  auto: "auto",
  default: "standard_only",
  standard_only: "standard_only",
};

/** Streams have their usage in the last frame, whoever asks: the switch for it is refused, too. */
function said({ service_tier: tier, stream_options: _, ...wire }: Wire, report?: (dropped: string) => void): Wire {
  if (typeof tier !== "string") return wire;
  const word = Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  if (word === undefined) report?.("service_tier");
  return word === undefined ? wire : { ...wire, service_tier: word };
}

/** Chats as Mistral's models take them, at their vendor and at clouds that serve them. */
const rewrite: Rewrite = {
  when: [
    ...["required", "tool", "file", "assistant", "stream_options", "service_tier"],
    ...cacheMarkers,
    ...unknownInMessages,
  ].map(quoted),
  apply(asked, report) {
    const wire = withoutCacheMarkers(asked, report);
    return {
      ...said(wire, report),
      ...(wire.tool_choice === "required" && { tool_choice: "any" }),
      ...(Array.isArray(wire.messages) && {
        messages: knownMessages(
          withParts(afterTools(afterUsers(wire.messages)), (parts) => parts.map(documentOf)),
          unknownInMessages,
          report,
        ),
      }),
    };
  },
};

/** All of it, for an operation of a provider. */
export const strictChats = {
  renames: { seed: "random_seed", safe_mode: "safe_prompt" },
  clamps: { temperature: [0, 1], top_p: [0, 1], max_tokens: [1, Number.MAX_SAFE_INTEGER] },
  drops: unknownFields,
  rewrite,
} as const;
