import Anthropic from "@anthropic-ai/sdk";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { GoogleGenAI } from "@google/genai";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { CohereClientV2 } from "cohere-ai";
import OpenAI, { AzureOpenAI } from "openai";

interface ClientInput {
  readonly url: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

/** The vendors' own clients, which know the gateway by its base URL only. They do not retry: a test counts calls. */
export const openAiClient = ({ url, key = "none", headers = {} }: ClientInput): OpenAI =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, defaultHeaders: headers });

/** Azure's, which knows it as an endpoint, and asks one deployment. */
export const azureClient = ({
  url,
  key = "none",
  headers = {},
  deployment,
}: ClientInput & { readonly deployment?: string | undefined }): AzureOpenAI =>
  new AzureOpenAI({
    endpoint: url,
    apiKey: key,
    apiVersion: "2024-10-21",
    maxRetries: 0,
    defaultHeaders: headers,
    ...(deployment !== undefined && { deployment }),
  });

export const anthropicClient = ({ url, key = "none", headers = {} }: ClientInput): Anthropic =>
  new Anthropic({ apiKey: key, authToken: null, baseURL: url, maxRetries: 0, defaultHeaders: headers });

export const geminiClient = ({ url, key = "none", headers = {} }: ClientInput): GoogleGenAI =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, headers } });

export const cohereClient = ({ url, key = "none", headers = {} }: ClientInput): CohereClientV2 =>
  new CohereClientV2({ token: key, environment: url, maxRetries: 0, headers });

/**
 * With `key` as a bearer token; with none, it signs its requests, and the gateway's key is among the headers. It speaks HTTP/2,
 * if not told to speak HTTP/1.1.
 */
export function bedrockClient({
  url,
  key,
  headers = {},
  http1 = false,
}: ClientInput & { readonly http1?: boolean }): BedrockRuntimeClient {
  const client = new BedrockRuntimeClient({
    region: "us-east-1",
    endpoint: url,
    maxAttempts: 1,
    ...(http1 && { requestHandler: new NodeHttpHandler() }),
    ...(key === undefined
      ? { credentials: { accessKeyId: "AKIDCLIENT", secretAccessKey: "of-the-client" } }
      : { token: { token: key }, authSchemePreference: ["httpBearerAuth"] }),
  });
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: Record<string, string> }).headers, headers);
      return next(args);
    },
    { step: "build" },
  );
  return client;
}
