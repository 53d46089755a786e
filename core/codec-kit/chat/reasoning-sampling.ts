import type { ChatRequest } from "../../model/chat.ts";

/** `gpt-5.6-luna` as 5.6, also behind a vendor's name; undefined for what is no GPT. */
function versionOf(model: string): number | undefined {
  const [, version] = /(?:^|[^a-z0-9])gpt-(\d(?:\.\d)?)(?![\d.])/i.exec(model) ?? [];
  return version === undefined ? undefined : Number(version);
}

/** These cannot be told not to (epam/ai-dial-chat#8538, gpt-5.1-codex; OpenHands/software-agent-sdk#1837, gpt-5.2-codex). */
const alwaysReasons = /-codex(?![a-z0-9])/i;

/**
 * Whether a model of OpenAI's reasons with this effort, unsaid where there is none. The o's and GPT-5 always do, later ones where they are
 * told to, and GPT-5.6 and later unless they are told not to; those that chat never do.
 */
function reasons(model: string, effort: string | undefined): boolean {
  const version = versionOf(model);
  if (version === undefined) return /(?:^|[^a-z0-9])o\d(?![a-z0-9])/i.test(model);
  if (version < 5 || /-chat(?![a-z0-9])/i.test(model)) return false;
  if (version === 5 || alwaysReasons.test(model)) return true;
  return effort === undefined ? version >= 5.6 : effort !== "none";
}

/**
 * A request to OpenAI of a client of another format without what models that reason refuse: "Unsupported parameter: 'top_p' is not
 * supported with this model." Such clients say how to sample in each request, whoever answers. A 1 is what happens anyway.
 * https://developers.openai.com/api/docs/guides/latest-model, parameter compatibility
 */
export function sampledAsTaken(request: ChatRequest, report: (dropped: string) => void): ChatRequest {
  if ((request.temperature ?? request.topP ?? request.logprobs ?? request.topLogprobs) === undefined) return request;
  const { temperature, topP, logprobs, topLogprobs, ...rest } = request;
  const { mode, effort } = rest.reasoning ?? {};
  if (!reasons(rest.model, mode === "disabled" ? undefined : effort)) return request;
  if ((temperature ?? 1) !== 1) report("temperature");
  if ((topP ?? 1) !== 1) report("top_p");
  if (logprobs) report("logprobs");
  if (topLogprobs) report("top_logprobs");
  return rest;
}
