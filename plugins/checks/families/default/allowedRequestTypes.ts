import { CheckError, type CheckSubject, defineCheck, z } from "../../../../core/index.ts";
import { subjectOf } from "../../subject.ts";
import { listField, listInMetadata, listOf } from "../../words.ts";

export default defineCheck({
  id: "default.allowedRequestTypes",
  summary: "Passes requests of an allowed type, and none of a blocked one.",
  parameters: z.object({
    allowedTypes: listField.describe(
      "`chatComplete`, `embed`, `stream-chatComplete`, …; where empty, what `supported_endpoints` of the metadata says.",
    ),
    blockedTypes: listField.describe("Likewise; where empty, what `blocked_endpoints` of the metadata says."),
  }),
  targets: ["request"],
  bodiless: true,
  run(input, parameters) {
    const subject = subjectOf(input);
    const allow = either(listOf(parameters.allowedTypes), listInMetadata(subject.metadata.supported_endpoints));
    const block = either(listOf(parameters.blockedTypes), listInMetadata(subject.metadata.blocked_endpoints));
    const both = allow.list.filter((type) => block.list.includes(type));
    if (both.length > 0) throw new CheckError(`Allowed and blocked at once: ${both.join(", ")}.`);
    const types = typesOf(subject);
    const blocked = types.some((type) => block.list.includes(type));
    const verdict = !blocked && (allow.list.length === 0 || types.some((type) => allow.list.includes(type)));
    const mode = modes[`${allow.list.length > 0} ${block.list.length > 0}`];
    const sources = [allow.source, block.source];
    return {
      verdict,
      data: {
        currentRequestType: subject.requestType,
        ...(allow.list.length > 0 && { allowedTypes: allow.list }),
        ...(mode === "unrestricted" && { allowedTypes: ["all"] }),
        ...(block.list.length > 0 && { blockedTypes: block.list }),
        verdict,
        explanation: `${subject.requestType} is ${blocked ? "blocked" : verdict ? "allowed" : "not among the allowed types"}.`,
        source: sources.includes("parameters") ? "parameters" : sources.includes("metadata") ? "metadata" : "default",
        mode,
      },
    };
  },
  table: {
    passes: [
      {
        subject: { requestType: "embed" },
        data: { currentRequestType: "embed", allowedTypes: ["all"], source: "default", mode: "unrestricted" },
      },
      {
        parameters: { allowedTypes: ["embed", "rerank"] },
        subject: { requestType: "rerank" },
        data: { allowedTypes: ["embed", "rerank"], source: "parameters", mode: "allowlist" },
      },
      {
        subject: { requestType: "embed", metadata: { blocked_endpoints: "proxy, rerank" } },
        data: { blockedTypes: ["proxy", "rerank"], source: "metadata", mode: "blocklist" },
      },
      {
        parameters: { allowedTypes: "embed, rerank", blockedTypes: "proxy" },
        subject: { requestType: "embed", metadata: { supported_endpoints: '["rerank"]' } },
        data: { mode: "combined", source: "parameters" },
      },
      { parameters: { allowedTypes: "stream-chatComplete" }, subject: { requestType: "chatComplete", streams: true } },
      { parameters: { blockedTypes: "stream-chatComplete" }, subject: { requestType: "chatComplete" } },
    ],
    fails: [
      { parameters: { blockedTypes: "stream-messages" }, subject: { requestType: "messages", streams: true } },
      { parameters: { allowedTypes: ["embed"] }, subject: { requestType: "chatComplete" }, data: { verdict: false } },
      { parameters: { blockedTypes: ["proxy"] }, subject: { requestType: "proxy" } },
      {
        subject: { requestType: "embed", metadata: { supported_endpoints: '["rerank"]' } },
        data: { source: "metadata" },
      },
      { parameters: { allowedTypes: "a", blockedTypes: "a" }, subject: { requestType: "b" }, error: "at once: a" },
    ],
  },
});

const modes: Readonly<Record<string, string>> = {
  "false false": "unrestricted",
  "false true": "blocklist",
  "true false": "allowlist",
  "true true": "combined",
};

const either = (given: string[], fallback: string[]) =>
  given.length > 0
    ? { list: given, source: "parameters" }
    : { list: fallback, source: fallback.length > 0 ? "metadata" : "default" };

/** A request for a stream is of its type and, where there is a name for it, of that as well. */
const typesOf = ({ requestType, request }: CheckSubject): string[] =>
  request.streams ? [requestType, `stream-${requestType}`] : [requestType];
