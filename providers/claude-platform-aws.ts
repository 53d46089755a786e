import {
  awsCaller,
  awsOptions,
  defineProvider,
  messageBatches,
  messageFiles,
  modelsByLastId,
  readAwsError,
  z,
} from "../core/provider-kit/index.ts";

const service = {
  name: "aws-external-anthropic",
  keyVariable: "ANTHROPIC_AWS_API_KEY",
  showKey: (key: string) => ({ "x-api-key": key }),
};
const caller = awsCaller(service);

export default defineProvider({
  name: "claude-platform-aws",
  summary: "Claude Platform on AWS: Anthropic's own API, with the credentials and the bill of an AWS account.",
  baseUrl: ({ region }) => `https://aws-external-anthropic.${region}.api.aws/v1`,
  options: z.strictObject({
    ...awsOptions(service),
    workspaceId: z.string().exactOptional().describe("Sent as anthropic-workspace-id: wrkspc_…"),
    version: z.string().default("2023-06-01").describe("Sent as anthropic-version; a client's own header wins."),
    beta: z.string().exactOptional().describe("Sent as anthropic-beta, comma-separated; a client's own header wins."),
  }),
  ...caller,
  headerOptions: {
    ...caller.headerOptions,
    workspaceId: "anthropic-aws-workspace-id",
    version: "anthropic-version",
    beta: "anthropic-beta",
  },
  // A workspace has a bill of its own.
  tenantOptions: [...caller.tenantOptions, "workspaceId"],
  authenticate: (options) => {
    const shown = caller.authenticate(options);
    const { workspaceId, version, beta } = options;
    return (
      shown && {
        ...shown,
        "anthropic-version": version,
        ...(beta !== undefined && { "anthropic-beta": beta }),
        ...(workspaceId !== undefined && { "anthropic-workspace-id": workspaceId }),
      }
    );
  },
  forwards: ["anthropic-version", "anthropic-beta"],
  operations: {
    chat: {
      format: "anthropic-messages",
      path: "/messages",
      instructsWithin: true,
      leavesOutThinking: true,
    },
    count: { format: "anthropic-count-tokens", instructsWithin: true, leavesOutThinking: true },
  },
  listModels: modelsByLastId,
  procedures: {
    ...messageFiles({ header: "anthropic-beta", word: "files-api-2025-04-14" }),
    ...messageBatches,
  },
  readError: readAwsError,
});
