import { anthropic } from "../conformance/conversations/anthropic.ts";
import { chat } from "../conformance/conversations/chat.ts";
import { cohere } from "../conformance/conversations/cohere.ts";
import { converse } from "../conformance/conversations/converse.ts";
import { gemini } from "../conformance/conversations/gemini.ts";
import { responses } from "../conformance/conversations/responses.ts";
import type { Speaker, Wire } from "../conformance/conversations/speaker.ts";
import {
  checkAnthropic,
  checkCohere,
  checkDeepSeek,
  checkFunctionsOnly,
  checkMistral,
  checkOpenAi,
} from "./strict-vendors.ts";

/** Who serves a session. */
export interface Vendor {
  readonly provider: string;
  readonly model: string;
  /** What it is asked with, by the format of the client where it has several: in conversations, and besides. */
  speaks(client: string): readonly [Speaker, ...Speaker[]];
  /** What it refuses beyond what all vendors of the format do. */
  check?(request: Wire): void;
  /** Requests of its own format reach it as they were sent. */
  readonly passesOn?: true;
  /** Whether instructions in the middle of a conversation stand in front of it. */
  readonly instructsInFront?: true;
  /** Ids of its calls, where those of the format are others. */
  callId?(number: number): string;
  /** Whether it tells what it thinks beside what it says. */
  readonly thinksAloud?: true;
  /** A field that clients of its own format have and it passes over. */
  readonly passesOver?: string;
  /** Options of its provider besides the address. */
  readonly options?: Readonly<Record<string, string>>;
}

const always =
  (...speakers: [Speaker, ...Speaker[]]) =>
  (): [Speaker, ...Speaker[]] =>
    speakers;
const isResponses = (client: string): boolean => client === responses.format.name;
const isMessages = (client: string): boolean => client === anthropic.format.name;

const keys = {
  accessKeyId: "AKIDEXAMPLE0000000AA",
  secretAccessKey: "vendor-key-0123456789abcdef",
  region: "us-east-1",
};

export const vendors: readonly Vendor[] = [
  {
    provider: "deepseek",
    model: "deepseek-v4",
    speaks: always(chat),
    check: checkDeepSeek,
    thinksAloud: true,
    passesOver: "reasoning",
  },
  {
    provider: "mistral-ai",
    model: "mistral-large-latest",
    speaks: always(chat),
    check: checkMistral,
    callId: (number) => `Ab${String(number).padStart(7, "0")}`,
  },
  // Where no function is offered it takes chat completions, too.
  { provider: "openai", model: "gpt-5.6", passesOn: true, speaks: always(responses, chat), check: checkOpenAi },
  {
    provider: "x-ai",
    model: "grok-4.6",
    speaks: (client) => [isResponses(client) ? responses : chat],
    check: checkFunctionsOnly,
  },
  { provider: "anthropic", model: "claude-opus-4-8", passesOn: true, speaks: always(anthropic), check: checkAnthropic },
  {
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    passesOn: true,
    speaks: always(anthropic),
    check: checkAnthropic,
    instructsInFront: true,
  },
  { provider: "google", model: "gemini-3-pro-preview", passesOn: true, speaks: always(gemini), instructsInFront: true },
  {
    provider: "bedrock",
    model: "us.anthropic.claude-opus-4-8",
    speaks: (client) => [isMessages(client) ? anthropic : converse],
    instructsInFront: true,
    options: keys,
  },
  {
    provider: "bedrock",
    model: "us.amazon.nova-premier-v1:0",
    speaks: always(converse),
    instructsInFront: true,
    options: keys,
  },
  { provider: "cohere", model: "command-a-reasoning-08-2025", speaks: always(cohere), check: checkCohere },
];
