import { type PathContext, percentDecoded } from "../../core/index.ts";

/**
 * The model and the action of a path: `…/models/NAME:ACTION`, or `…/KIND/NAME:ACTION`; the name may hold slashes. Google's SDK puts its
 * version behind a base URL that has one.
 */
const called =
  /^\/v1(?:alpha|beta1?)?(?:\/v1(?:alpha|beta1?)?(?=\/(?:models|tunedModels|publishers|projects)\/))?\/(?:models\/)?([^?]+):([A-Za-z]+)\/?(?:\?|$)/;

/** How clients of Vertex AI name a model: `[projects/P/locations/L/]publishers/PUBLISHER/models/NAME`. */
const published = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/([^/]+)\/models\/(.+)$/;

/** Reads off a URL what other formats say in the body. */
export function readUrl(url: string): { model?: string; stream?: boolean } {
  const [, name, action] = called.exec(url) ?? [];
  if (name === undefined) return {};
  return { model: unpublished(percentDecoded(name)), stream: action === "streamGenerateContent" };
}

/** A model of Google's is known by its name alone; SDKs make a publisher of what stands before a slash. */
function unpublished(name: string): string {
  const [, publisher, model] = published.exec(name) ?? [];
  if (publisher === undefined || model === undefined) return name;
  return publisher === "google" ? model : `${publisher}/${model}`;
}

/** The URLs an endpoint of this API is for: a path holds both the model and what is asked of it. */
export const calling = (action: string, query?: string): RegExp =>
  new RegExp(`^[^?]+:${action}/?${query === undefined ? "(?:\\?|$)" : `\\?${query}`}`);

/** A resource name as it stands in a path: `models/…`, unless the model says what kind of one it is. */
function resource(model: string): string {
  const [, kind = "models", name = model] = /^(models|tunedModels)\/(.+)$/.exec(model) ?? [];
  // A name is the caller's word, and stays inside its place in the path.
  return `${kind}/${encodeURIComponent(name)}`;
}

/** Of all models, the first that thought are served by the preview of the API only (providers.md section 7.1). */
const versionOf = (model: string): string => (model.includes("gemini-2.0-flash-thinking-exp") ? "v1alpha" : "v1beta");

export const pathTo = (model: string, action: string): string => `/${versionOf(model)}/${resource(model)}:${action}`;

export const callPath = ({ model, stream }: PathContext): string =>
  stream ? `${pathTo(model, "streamGenerateContent")}?alt=sse` : pathTo(model, "generateContent");
