import { z } from "zod";
import {
  ApiKeys,
  billsOf,
  definePlugin,
  type Exchange,
  GatewayError,
  modelList,
  modelListUrl,
  Prices,
  Records,
} from "../../core/index.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Management is below `/v2` as it is below `/v1` (control-plane.md, head). */
const managed = "^(?:(?:/v1)+|/v2)";

/**
 * What is meant for the gateway and nobody else: logs, feedback, traces and figures (inference-api.md section 21,
 * observability.md), and management, which carries credentials. Where no plugin answers it, it is not a vendor's to have;
 * below `/v1/proxy` it is.
 */
const roots = [
  ...["otel", "logs", "feedback", "analytics", "saved-filters"],
  ...["admin", "api-keys", "audit-logs", "configs", "guardrails", "integrations", "policies", "secret-references"],
  ...["virtual-keys", "workspace-exclusions", "model-configs"],
  ...["mcp-integrations", "mcp-servers", "agent-integrations", "agent-servers"],
];
const own = new RegExp(`${managed}/+(?:${roots.join("|")})(?=[/?]|$)`);
/** Of these vendors may have lists; what is written to them is management all the same, and may carry credentials. */
const written = ["providers", "prompts", "collections", "labels", "deployments", "plugins", "scim"];
const ownWritten = new RegExp(`${managed}/+(?:${written.join("|")})(?=[/?]|$)`);
const ownTraces = new RegExp(`${managed}/+traces(?=[/?]|$)`);

function isOwn({ method, url }: Exchange): boolean {
  const path = plain(url);
  return own.test(path) || (method === "GET" || method === "HEAD" ? ownTraces : ownWritten).test(path);
}

/** A path as the gateway's own places are found by it, where letters may be escaped. */
function plain(url: string): string {
  const [path = ""] = url.split("?");
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * What vendors keep for their clients, or do later: an answer of these is the state of something, or made for one client. As
 * openai 7.59, @anthropic-ai/sdk 1.14, @google/genai 3.3 and @mistralai/mistralai 2.7 ask for it.
 */
const kept = [
  ...["assistants", "threads", "vector_stores", "files", "batches", "fine[_-]tuning", "realtime", "live", "chatkit"],
  ...["conversations", "containers", "uploads", "videos", "evals", "skills", "webhook_endpoints", "audio/voice\\w*"],
  ...["agents(?!/completions)", "environments", "memory_stores", "sessions", "tunnels", "user_profiles", "vaults"],
  ...["cachedContents", "fileSearchStores", "tunedModels", "dreams"],
  ...["batch/jobs", "libraries", "messages/batches", "video", "video_generation", "(?:api/v\\d/)?contents/generations"],
  ...["(?:api/v\\d/)?services/aigc/(?:video-generation|image2video)", "tasks"],
];
/** The same of one model, wherever that stands: looked for by itself, as what may stand before it is tried for every end of the versions. */
const keptOfModels = "/v1/(?:[^?]*/)?models/[^?]*:(?:async|batch|predictLong|fetchPredict)\\w*(?=[/?]|$)";
/**
 * All others (inference-api.md section 1); of a stored response what is asked is about that one. Below `/v1/proxy` vendors have
 * the same, in a version that is named or not.
 */
const cacheable = new RegExp(
  `^(?!${keptOfModels})(?!(?:/v1)+/(?:proxy/)?(?:v\\d\\w*/)?(?:${kept.join("|")}|responses/[^/?]+)(?=[/?]|$))`,
);

/**
 * Other versions of vendors' APIs than `v1`: clients that know only a host of their vendor's ask there for what it has beyond
 * the formats. Mostly that is kept for them, or done later (batches, caches of prompts, videos): no answer is given again.
 */
const versions = ["/v2/*", "/v1alpha/*", "/v1beta/*", "/v1beta1/*"];

/** Where batch jobs are begun, or ended: they have used nothing by then, and tell what they used where they are read. */
const jobs =
  /^[^?]*\/(?:batches(?:\/[^/?]+\/cancel|\/[^/?]+:cancel)?|batch\/jobs(?:\/[^/?]+\/cancel)?|models\/[^?]+:(?:batchGenerateContent|asyncBatchEmbedContent)|batchPredictionJobs\/[^/?]+:cancel|model-invocation-job\/[^/?]+\/stop)\/?(?:\?|$)/;
/** Where those are begun that write what they used to a bucket: nobody knows what they cost, by then or later. */
const untoldJobs = /^[^?]*\/(?:batchPredictionJobs|model-invocation-job)\/?(?:\?|$)/;

/**
 * Where videos are begun, which are made for minutes: they are billed once, where they are told to be completed. How long one
 * lasts that was made longer than it was (`/videos/extensions`) says nothing of what that cost.
 */
const longerVideos = /^[^?]*\/videos\/extensions\/?(?:\?|$)/;
const videos = new RegExp(
  `^[^?]*/(?:${[
    "videos(?:/edits|/generations|/[^/?]+/remix)?",
    ...["models/[^/?]+:predictLongRunning", "contents/generations/tasks", "video_generation", "video/submit"],
    "services/aigc/(?:video-generation|image2video)/[\\w-]+",
  ].join("|")})/?(?:\\?|$)`,
);
/** Where a vendor tells of one to who posts its name. */
const toldVideos = /^[^?]*\/(?:models\/[^/?]+:fetchPredictOperation|video\/status)\/?(?:\?|$)/;

function refuseOwn(exchange: Exchange): undefined {
  if (isOwn(exchange)) throw new GatewayError("not_found", "Not Found");
  return undefined;
}

export default definePlugin({
  name: "proxy",
  summary: "Passes every other path, and everything below /v1/proxy, to the provider as it is.",
  options: z.strictObject({}),
  uses: [ApiKeys, Prices, Records],
  setup(context) {
    const { endpoint } = context;
    const { witness, begins, beginsUntold, makes } = billsOf(context);
    endpoint({
      type: "listModels",
      method: "GET",
      path: "/v1/models",
      // Where another plugin has a list of its own, that one is asked first.
      url: /\/models\/?(?:\?|$)/,
      rawBody: true,
      firstTarget: true,
      corrects: modelList,
      rawUrl: modelListUrl,
      anyScope: ["completions.write", "virtual_keys.list", "models.list"],
    });
    for (const method of methods) {
      const raw = { type: "proxy", method, rawBody: true, ...(method === "GET" && { witness }) };
      if (method === "POST")
        for (const path of [...versions, "/v1/*", "/v1/proxy/*"]) {
          endpoint({ ...raw, path, url: jobs, serve: refuseOwn, witness: makes });
          endpoint({ ...raw, path, url: videos, serve: refuseOwn, witness: begins });
          endpoint({ ...raw, path, url: longerVideos, serve: refuseOwn, witness: beginsUntold });
          endpoint({ ...raw, path, url: untoldJobs, serve: refuseOwn, witness: beginsUntold });
          endpoint({ ...raw, path, url: toldVideos, serve: refuseOwn, witness });
        }
      for (const path of versions) endpoint({ ...raw, path, serve: refuseOwn });
      // Where Google takes files, a piece of one at a time.
      endpoint({ ...raw, path: "/upload/*", unread: true });
      // Where it gives them.
      if (method === "GET") endpoint({ ...raw, path: "/download/*" });
      const keeping = { ...raw, ...(method === "POST" && { cacheable }) };
      endpoint({ ...keeping, path: "/v1/*", serve: refuseOwn });
      endpoint({ ...keeping, path: "/v1/proxy/*" });
      // Bedrock's models, each asked for an answer. AWS's clients call the JSON of `InvokeModel` bytes unless they are told.
      endpoint({ ...keeping, path: "/model/*", jsonAsBytes: true });
    }
  },
});
