import { raise } from "../../core/provider-kit/index.ts";
import { type Deployment, type DeploymentOptions, deploymentFor } from "./deployments.ts";

const withVersion = (path: string, version: string): string =>
  /[?&]api-version=/.test(path) ? path : `${path}${path.includes("?") ? "&" : "?"}api-version=${version}`;

type Options = DeploymentOptions & { readonly baseUrl?: string };

/** The vendor shows the address of a resource with its version, too: `…/openai/v1`. */
const inV1 = ({ baseUrl = "" }: Options, path: string): string =>
  /\/openai\/v1\/*$/.test(baseUrl) ? path : `/v1${path}`;

/** Where a deployment is asked: by its name in the path with a dated version, in the body with v1. */
function inDeployment({ id = "", apiVersion }: Deployment, path: string, options: Options): string {
  if (apiVersion === "v1") return inV1(options, path);
  return withVersion(`/deployments/${encodeURIComponent(id)}${path}`, apiVersion);
}

/** Paths of operations a deployment serves: `callPath(options, "/embeddings")`. */
export const callPath =
  (options: Options, path: string) =>
  ({ model }: { readonly model: string }): string =>
    inDeployment(deploymentFor(options, model), path, options);

/** Responses are asked of the resource, in every version: only the body says of which deployment. */
export const responsesPath =
  (options: Options) =>
  ({ model }: { readonly model: string }): string => {
    const { apiVersion } = deploymentFor(options, model);
    return apiVersion === "v1" ? inV1(options, "/responses") : withVersion("/responses", apiVersion);
  };

/**
 * Sockets are asked for at the resource; only the query says of which deployment, and v1 calls that the model
 * (learn.microsoft.com, "Use the GPT Realtime API via WebSockets"; decision 0057). A client's own version counts.
 */
export const realtimePath =
  (options: Options) =>
  (query: URLSearchParams): string => {
    const model = query.get("model") ?? undefined;
    query.delete("model");
    // A client of the vendor's own names the deployment itself.
    const { id, apiVersion } = deploymentFor(options, model ?? query.get("deployment") ?? undefined);
    const isV1 = apiVersion === "v1";
    if (isV1) query.delete("deployment");
    if (id !== undefined) query.set(isV1 ? "model" : "deployment", id);
    if (isV1) return inV1(options, "/realtime");
    if (!query.has("api-version")) query.set("api-version", apiVersion);
    return "/realtime";
  };

/** What the body says as model where the path does not name the deployment. */
export const deploymentName =
  (options: DeploymentOptions) =>
  (model: string): string =>
    deploymentFor(options, model).id ?? model;

/** The same where only v1 has it in the body. */
export const deploymentNameInV1 =
  (options: DeploymentOptions) =>
  (model: string): string => {
    const { id = model, apiVersion } = deploymentFor(options, model);
    return apiVersion === "v1" ? id : model;
  };

/** Calls that a deployment serves, of those that are not served in a format. */
const ofDeployments =
  /^\/(?:chat\/completions|completions|embeddings|images\/(?:generations|edits)|audio\/\w+)(?=[?]|$)/;

/** Raw paths, with the version where they have none. A deployment's own paths stay as they are. */
export function rawPath(path: string, options: Options & { readonly resourceName?: string }): string {
  const own = belowBase(withoutHost(path, options.resourceName), options);
  const { id, apiVersion } = deploymentFor(options);
  if (apiVersion === "v1") return own.startsWith("/deployments/") ? own : inV1(options, own.replace(/^\/v1(?=\/)/, ""));
  if (!ofDeployments.test(own)) return withVersion(own, apiVersion);
  return inDeployment(
    {
      id: id ?? raise("invalid_request", `${path} needs a deployment: azure-deployment-id, or a default one.`),
      apiVersion,
    },
    own,
    options,
  );
}

/** Clients of the vendor's ask below `/openai`, whatever address they are given; that of the resource ends in it. */
const belowBase = (path: string, { baseUrl = "/openai" }: Options): string =>
  /\/openai(?:\/v1)?\/*$/.test(baseUrl) ? path.replace(/^\/openai(?=\/)/, "") : path;

/** A path may name the vendor's host in front. It has to be the one that is called. */
function withoutHost(path: string, resourceName: string | undefined): string {
  const [whole, resource, rest] = /^\/(?:https:\/+)?([^/]+)\.openai\.azure\.com(?:\/openai)?(\/.*)$/i.exec(path) ?? [];
  if (whole === undefined) return path;
  if (resource?.toLowerCase() === resourceName?.toLowerCase()) return rest ?? "/";
  return raise("invalid_request", `The path names another resource than the provider, which has ${resourceName}.`);
}
