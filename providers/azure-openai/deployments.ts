import { z } from "../../core/provider-kit/index.ts";

/** A name or a version as it stands in a path or a query. */
const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, { error: "letters, digits, dots, underscores and hyphens" });

/** `v1` for the API without dates, else `2024-10-21` or `2025-01-01-preview`. */
export const apiVersion = name.max(30);

/** Routing configs and stored credentials have other spellings for the same. */
const spellings: Readonly<Record<string, string>> = {
  deployment_id: "deploymentId",
  azure_deployment_name: "deploymentId",
  azure_model_slug: "model",
  api_version: "apiVersion",
  azure_api_version: "apiVersion",
  is_default: "isDefault",
};

const spelledOut = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [spellings[key] ?? key, inner]))
    : value;

const deployment = z.strictObject({
  deploymentId: name.describe("The deployment's name."),
  alias: z.string().min(1).exactOptional().describe("A name it is asked for by."),
  model: z.string().min(1).exactOptional().describe("The model behind it, by which it is asked for, too."),
  apiVersion: apiVersion.exactOptional().describe("Its version of the API, where it is another one."),
  isDefault: z.boolean().default(false).describe("Whether it is called for models nobody else is named after."),
});

export const deploymentOptions = {
  deploymentId: name.exactOptional().describe("The deployment to call. Absent: the one of `deployments`."),
  deployments: z
    .array(z.preprocess(spelledOut, deployment))
    .default([])
    .describe("Deployments by alias and model. A model that none is for goes to the default one."),
  apiVersion: apiVersion.default("v1").describe("The version of the API: a date, or v1 for the one without dates."),
};

export type DeploymentOptions = z.output<z.ZodObject<typeof deploymentOptions>>;

/** The model of the deployment that a name leads to; the name itself where nobody says. */
export function modelBehind(name: string, options: DeploymentOptions & { readonly modelName?: string }): string {
  const { deploymentId, deployments, modelName } = options;
  const listed =
    deploymentId === undefined
      ? (deployments.find((one) => one.alias === name || one.model === name) ??
        deployments.find(({ isDefault }) => isDefault))
      : deployments.find((one) => one.deploymentId === deploymentId);
  return modelName ?? listed?.model ?? name;
}

/** The same for what a body says as model: with v1 that is the deployment, else what the client said. */
export function modelInBody(name: string, options: DeploymentOptions & { readonly modelName?: string }): string {
  const named = options.deployments.find(
    ({ deploymentId, apiVersion = options.apiVersion }) => apiVersion === "v1" && deploymentId === name,
  );
  return options.modelName ?? named?.model ?? modelBehind(name, options);
}

export interface Deployment {
  /** Undefined where the options name none and the model is not known. */
  readonly id: string | undefined;
  readonly apiVersion: string;
}

/**
 * The deployment for a model: the one that is named, the one listed for it, the default one. Where nothing is said of
 * deployments at all, they are taken to be named after their models.
 */
export function deploymentFor(options: DeploymentOptions, model?: string): Deployment {
  const { deploymentId, deployments, apiVersion } = options;
  if (deploymentId !== undefined) return { id: deploymentId, apiVersion };
  const listed =
    (model !== undefined && deployments.find((one) => one.alias === model || one.model === model)) ||
    deployments.find(({ isDefault }) => isDefault);
  if (listed) return { id: listed.deploymentId, apiVersion: listed.apiVersion ?? apiVersion };
  return { id: model, apiVersion };
}
