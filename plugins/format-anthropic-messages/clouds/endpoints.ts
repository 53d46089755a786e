import type { Endpoint } from "../../../core/index.ts";
import { invoking, messagesAtBedrock } from "./bedrock.ts";
import { members } from "./dialect.ts";
import { countAtVertex, counting, messagesAtVertex, predicting } from "./vertex.ts";

const messages = { type: "messages", method: "POST", operation: "chat", members } as const;

/**
 * Where clients of the clouds ask for Claude (decision 0064). Other models are asked at the same paths with bodies of their makers' own,
 * and stay what they are.
 */
export const cloudEndpoints: readonly Endpoint[] = [
  // AWS's clients call the JSON of an invocation bytes unless they are told.
  ...["/model/*", "/v1/*"].map((path) => ({
    ...messages,
    path,
    url: invoking,
    format: messagesAtBedrock.name,
    jsonAsBytes: true,
  })),
  { ...messages, path: "/v1/*", url: predicting, format: messagesAtVertex.name },
  {
    type: "messagesCountTokens",
    method: "POST",
    path: "/v1/*",
    url: counting,
    members,
    operation: "count",
    format: countAtVertex.name,
  },
];
