import {
  awsCaller,
  awsOptions,
  type ClientHeaders,
  defineProvider,
  hostedBetas,
  makersBetas,
  noThreads,
  readAwsError,
  wordFilter,
  z,
} from "../../core/provider-kit/index.ts";
import { forGemma } from "./schemas.ts";

/** With this word, clients of the Messages API reach OpenAI's models by the Responses API instead of by chat. */
const viaResponses = "use-responses-api-2026-07-30";

/**
 * What only the maker's own hosts have (providers.md section 6.9), and the gateway's own word.
 */
const betas = wordFilter({
  deny: [makersBetas, /^prompt-caching-scope-/, viaResponses],
  rename: hostedBetas,
});

const isClaude = (model: string): boolean => /(?:^|\.)anthropic\./.test(model);
const isOpenAi = (model: string): boolean => /(?:^|\.)openai\./.test(model);

/** OpenAI's closed models are served by the Responses API only, and elsewhere than all others (decision 0055). */
const isClosed = (model: string): boolean => /(?:^|\.)openai\.gpt-\d/.test(model);

const words = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .join(",")
    .split(",")
    .map((word) => word.trim());

/** A service of its own to those who sign, as both makers' SDKs do (`@anthropic-ai/bedrock-sdk`, `openai`; decision 0057). */
const service = { name: "bedrock-mantle", keyVariable: "AWS_BEARER_TOKEN_BEDROCK" };
const caller = awsCaller(service);

interface Place {
  readonly region: string;
  readonly baseUrl?: string;
}

const usual = ({ region }: Place): string => `https://bedrock-mantle.${region}.api.aws/v1`;

/** What stands beside the OpenAI-compatible API, below the same host: `/anthropic`. */
const rootOf = (place: Place): string => (place.baseUrl ?? usual(place)).replace(/(?:\/openai)?(?:\/v1)?\/*$/, "");

export default defineProvider({
  name: "bedrock-mantle",
  summary: "AWS Bedrock Mantle: models of many makers by OpenAI's APIs, and Claude by Anthropic's.",
  baseUrl: usual,
  options: z.strictObject({
    ...awsOptions(service),
    anthropicVersion: z
      .string()
      .default("2023-06-01")
      .describe("Sent as anthropic-version; a client's own header wins."),
    anthropicBeta: z.string().exactOptional().describe("Sent as anthropic-beta; a client's own header wins."),
  }),
  ...caller,
  headerOptions: {
    ...caller.headerOptions,
    anthropicVersion: "anthropic-version",
    anthropicBeta: "anthropic-beta",
  },
  authenticate: (options) => {
    const shown = caller.authenticate(options);
    const { anthropicVersion, anthropicBeta } = options;
    return (
      shown && {
        ...shown,
        "anthropic-version": anthropicVersion,
        ...(anthropicBeta !== undefined && { "anthropic-beta": anthropicBeta }),
      }
    );
  },
  forwards: ["anthropic-version", "anthropic-beta"],
  headerFilters: { "anthropic-beta": betas },
  operations: (options) => {
    const { anthropicBeta } = options;
    const wantsResponses = (model: string, headers: ClientHeaders = {}): boolean =>
      isOpenAi(model) && words(headers["anthropic-beta"] ?? anthropicBeta).includes(viaResponses);
    return {
      chat: [
        {
          format: "openai-chat",
          serves: (model, headers) => !isClaude(model) && !isClosed(model) && !wantsResponses(model, headers),
          rewrite: forGemma,
        },
        {
          format: "openai-responses",
          serves: (model) => !isClaude(model),
          path: ({ model }) => (isClosed(model) ? `${rootOf(options)}/openai/v1/responses` : "/responses"),
          rewrite: forGemma,
        },
        {
          format: "anthropic-messages",
          serves: isClaude,
          path: `${rootOf(options)}/anthropic/v1/messages`,
          instructsWithin: true,
          rewrite: noThreads,
        },
      ],
      count: {
        format: "anthropic-count-tokens",
        serves: isClaude,
        path: `${rootOf(options)}/anthropic/v1/messages/count_tokens`,
        instructsWithin: true,
      },
    };
  },
  readError: readAwsError,
  /** Paths of the other APIs of this host are told from its root on. */
  proxyPath: (path, options) => (/^\/(?:anthropic|openai)\//.test(path) ? rootOf(options) + path : path),
});
