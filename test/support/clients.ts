import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";

interface ClientInput {
  readonly url: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

/** The vendors' own clients, which know the gateway by its base URL only. They do not retry: a test counts calls. */
export const openAiClient = ({ url, key = "none", headers = {} }: ClientInput): OpenAI =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, defaultHeaders: headers });

export const anthropicClient = ({ url, key = "none", headers = {} }: ClientInput): Anthropic =>
  new Anthropic({ apiKey: key, authToken: null, baseURL: url, maxRetries: 0, defaultHeaders: headers });

export const geminiClient = ({ url, key = "none", headers = {} }: ClientInput): GoogleGenAI =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, headers } });
