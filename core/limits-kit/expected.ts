import { type Fields, isRecord } from "../codec-kit/records.ts";
import type { OperationName } from "../model/operations.ts";
import type { GatewayRequest } from "../model/request.ts";
import { expectedInput, madeBody } from "./expected-input.ts";

/** What a request may use, before anybody knows. */
export interface ExpectedTokens {
  readonly input: number;
  readonly output: number;
}

/** The length of an answer nobody bounded. */
const usualOutput = 500;

/** Operations whose answers are made of no tokens. */
const writesNothing: ReadonlySet<OperationName> = new Set<OperationName>(["embed", "rerank", "moderate"]);

/** More than any answer has: what a client asks for stays a number that can be counted with. */
const most = Number.MAX_SAFE_INTEGER;

/** Where bodies bound their answers, by their formats: beside the rest, or in settings of their own, in either case. */
const settingNames = ["generationConfig", "generation_config", "inferenceConfig"];
const boundNames = ["max_completion_tokens", "max_output_tokens", "max_tokens", "maxOutputTokens", "maxTokens"];
const severalNames = ["n", "candidateCount", "candidate_count"];
/** Of completions: so many are made, and the best of them is given; each prompt has its own. */
const bestNames = ["best_of", "bestOf"];
const promptName = "prompt";
const allNames = [...boundNames, ...severalNames, ...bestNames, promptName, ...settingNames];

/**
 * A guess at the tokens of a request by the length of its body and the bound it sets for its answer: it is for comparing
 * targets and for holding room, and what was really used is counted afterwards.
 */
export function expectedTokens(request: GatewayRequest | undefined, output = usualOutput): ExpectedTokens {
  const operation = request?.operation;
  // Vendors count tokens for nothing.
  if (operation === "count") return { input: 0, output: 0 };
  if (operation !== undefined && writesNothing.has(operation)) return { input: expectedInput(request), output: 0 };
  const asked = fieldsOf(request);
  const bound = (asked && numberIn(asked, boundNames, 0)) ?? output;
  const several = asked ? answersTo(asked) : 1;
  return {
    input: expectedInput(request),
    output: Math.min(Math.ceil(Math.min(bound, most) * Math.min(several, most)), most),
  };
}

/** How many answers a request asks for; images are answers, too. */
export function expectedAnswers(request: GatewayRequest | undefined): number {
  const asked = fieldsOf(request);
  return asked ? Math.min(Math.ceil(answersTo(asked)), most) : 1;
}

/** How many answers are made for a body. */
function answersTo(asked: Fields): number {
  const given = numberIn(asked, severalNames, 1) ?? 1;
  const made = firstOf(asked, bestNames, 1) ?? 1;
  return Math.max(given, made) * promptsIn(asked[promptName]);
}

/** Texts, or lists of tokens, are a prompt each; a list of tokens is one. */
function promptsIn(prompt: unknown): number {
  return Array.isArray(prompt) && typeof prompt[0] !== "number" ? Math.max(1, prompt.length) : 1;
}

/** The first number of these names, in the body itself or in its settings, that is not below `least`. */
function numberIn(asked: Fields, names: readonly string[], least: number): number | undefined {
  const found = firstOf(asked, names, least);
  if (found !== undefined) return found;
  for (const name of settingNames) {
    const settings = asked[name];
    const inside = isRecord(settings) ? firstOf(settings, names, least) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function firstOf(fields: Fields, names: readonly string[], least: number): number | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "number" && value >= least) return value;
  }
  return undefined;
}

/**
 * The client's JSON body, or the canonical one where taps have made that; one that is not readable bounds nothing, and one that
 * has none of these fields is not parsed.
 */
function fieldsOf(request: GatewayRequest | undefined): Fields | undefined {
  const made = request && madeBody(request);
  if (isRecord(made)) return made;
  const keys = request?.keys;
  if (keys && !allNames.some((name) => keys.has(name))) return undefined;
  try {
    const json = request?.json;
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
