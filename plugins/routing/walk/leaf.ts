import {
  type BoundProvider,
  bareProvider,
  type ConfigNode,
  type Exchange,
  GatewayError,
  type GatewayRequest,
  type OwnRequest,
  type ProviderRegistry,
  type ProviderTerms,
  type Route,
  type Target,
  type Walk,
} from "../../../core/index.ts";
import type { ReadNode } from "../config/node.ts";
import type { OwnFields } from "../config/own-fields.ts";
import type { NamedWrapper, Vocabulary } from "../config/vocabulary.ts";
import { namedRoute, notTheirs } from "../config/whose-failure.ts";
import { isOwnName, split, withoutSlug } from "../model-names.ts";
import { layMetadata } from "./metadata.ts";
import { providerOf } from "./saved-provider.ts";
import type { Choice, Selector } from "./select-provider.ts";
import { type LeafShape, leafShape } from "./shape.ts";
import { one } from "./single.ts";
import { type Source, sourceOf } from "./source.ts";

export interface LeafContext {
  readonly providers: Pick<ProviderRegistry, "forExchange">;
  readonly selector: Selector;
  readonly wrappers: Vocabulary["wrappers"];
  /** The config stands in the file. */
  readonly saved: boolean;
  /** Whether options of providers may come in headers. */
  readonly headerOptions: boolean;
}

export interface Leaf {
  route(walk: Walk): Route;
  /** Providers it may call, as far as the config tells: they may have to be loaded first. */
  readonly providerNames: readonly string[];
  /** Whether its provider may come from the request. */
  readonly fromRequest: boolean;
  /** Whether it may be called more than once. */
  readonly repeats: boolean;
}

/** Stands in where a leaf has no provider to call. */
const nobody: BoundProvider = { ...bareProvider, slug: "", name: "" };

/** A leaf: who is called, for which model, with which body. Worked out as far as the config alone allows. */
export function leaf(
  read: Pick<ReadNode, "options">,
  node: ConfigNode,
  context: LeafContext,
  ownRequest?: OwnRequest,
): Leaf {
  const fields = node.fields as OwnFields;
  const source = sourceOf(fields);
  const terms = termsOf(fields, read, source, context);
  const shape = leafShape(fields);
  const always = targetParts(node.path, fields);
  const call = wrapped(node, context);
  return {
    *route(walk) {
      layMetadata(walk.exchange, fields.metadata);
      const target = resolve(walk);
      // A refusal stays one however often it is asked for: there is nothing to retry, and nothing that broke.
      return target.refusal ? yield target : yield* call(target, walk);
    },
    fromRequest: source.kind !== "named",
    repeats: node.fields.retry !== undefined,
    providerNames: source.kind === "named" ? [source.name] : namesInFront([shape.override, shape.fallback]),
  };

  /** What the request says of its provider counts first, and leaves the config's model as it is. */
  function chosen(exchange: Exchange, request: Asked, own: boolean): Choice | undefined {
    const { selector } = context;
    const saved = own && source.kind !== "passthrough" ? selector.saved(request) : undefined;
    const asked = saved ?? selector.named(exchange, request);
    if (asked) {
      // The default model of a header is for a body without one, which `default_params` may have given it (routing-config.md section 5).
      const model = shape.override ?? (request?.model === undefined ? cleanModel(request, shape) : undefined);
      return model === undefined ? asked : Object.assign({}, asked, { model });
    }
    if (source.kind === "passthrough") return undefined;
    return selector.byModel(shape.override ?? request?.model ?? shape.fallback, exchange, request);
  }

  function resolve(walk: Walk): Target {
    const { exchange } = walk;
    try {
      const own = ownRequest?.of(walk);
      const request = own ?? exchange.request;
      if (request?.origin?.refusal) throw request.origin.refusal;
      const found =
        source.kind === "named" ? named(source, exchange, request) : byRequest(exchange, request, own !== undefined);
      walk.note(node.path, found.why);
      const { model } = found;
      const body = request?.model === undefined ? shape.whole : shape.exceptModel;
      // Not one literal with spreads: each of those has a hidden class of its own.
      const target: { -readonly [Key in keyof Target]: Target[Key] } = { path: node.path, provider: found.provider };
      Object.assign(target, always);
      if (own) target.request = own;
      if (model !== undefined) target.model = model;
      if (body) target.shape = body;
      return target;
    } catch (error) {
      // Whichever strategy has led here, it is not what failed.
      if (!(error instanceof GatewayError)) throw notTheirs(error);
      walk.note(node.path, `cannot be called: ${error.message}`);
      return { ...always, provider: nobody, refusal: error };
    }
  }

  function named({ name, why }: Extract<Source, { kind: "named" }>, exchange: Exchange, request: Asked): Found {
    const model = shape.override ?? cleanModel(request, shape);
    const provider = ready(provide(name, exchange, false, model ?? request?.model));
    return { provider, why, model: asked(provider, model, request) };
  }

  function byRequest(exchange: Exchange, request: Asked, own: boolean): Found {
    const choice = chosen(exchange, request, own);
    if (!choice) throw noProvider(exchange, source.kind === "passthrough");
    const model = choice.model ?? shape.override ?? cleanModel(request, shape);
    const named = model ?? request?.model;
    const provider = ready(providerOf(choice, () => provide(choice.name, exchange, choice.named, named)));
    return { provider, why: `provider ${provider.slug}, ${choice.why}`, model: asked(provider, model, request) };
  }

  /** The model in place of the request's. Who gets bodies as they come gets its own, where the config says no other. */
  function asked({ raw }: BoundProvider, model: string | undefined, request: Asked): string | undefined {
    return raw && shape.override === undefined && request?.model !== undefined ? undefined : model;
  }

  function provide(name: string, exchange: Exchange, callerCredential: boolean, model: string | undefined) {
    return context.providers.forExchange(name, exchange, callerCredential, terms, model);
  }
}

type Asked = GatewayRequest | undefined;

interface Found {
  readonly provider: BoundProvider;
  readonly why: string;
  readonly model?: string | undefined;
}

/** Providers are loaded before a walk begins; one that is not there now could not be. */
function ready(provider: BoundProvider | Promise<BoundProvider>): BoundProvider {
  if (!(provider instanceof Promise)) return provider;
  provider.catch(() => undefined);
  throw new GatewayError("internal", "A provider of the routing config could not be loaded.");
}

const noProvider = ({ gatewayHeaders }: Exchange, passthrough: boolean) =>
  new GatewayError(
    "provider_missing",
    passthrough
      ? `This target takes its provider from the request: name one in ${gatewayHeaders.nameOf("provider")}, or as ` +
          'model "@slug/model".'
      : `No provider: name one in the routing config, in ${gatewayHeaders.nameOf("provider")}, or as model ` +
          '"provider/model".',
  );

/** The request's model without a slug in front, where it has one; the model of its defaults, where it has none. */
function cleanModel(request: Asked, { fallback }: LeafShape): string | undefined {
  // In a form a model is the vendor's name of it.
  if (request?.formType !== undefined && request.model !== undefined) return undefined;
  const model = request?.model ?? fallback;
  const clean = model === undefined ? undefined : withoutSlug(model);
  return clean === request?.model ? undefined : clean;
}

/** Of models that may have their provider in front, the providers. */
const namesInFront = (models: readonly (string | undefined)[]): string[] =>
  models.flatMap((model) => (model === undefined || isOwnName(model) ? [] : (split(model)?.name ?? [])));

/** What every target of a leaf has. */
function targetParts(
  path: string,
  fields: OwnFields,
): Pick<Target, "path" | "clocks" | "forwardHeaders" | "strict" | "fields"> {
  const { forward_headers, strict_open_ai_compliance, timeouts: clocks } = fields;
  return {
    path,
    fields: fields as Readonly<Record<string, unknown>>,
    ...(clocks && { clocks }),
    ...(forward_headers && { forwardHeaders: forward_headers }),
    ...(strict_open_ai_compliance !== undefined && { strict: strict_open_ai_compliance }),
  };
}

function termsOf(
  { api_key, custom_host }: OwnFields,
  { options }: Pick<ReadNode, "options">,
  source: Source,
  { saved, headerOptions }: LeafContext,
): ProviderTerms {
  return {
    trusted: saved,
    named: source.kind === "named",
    headerOptions,
    ...(api_key && { apiKey: api_key }),
    ...(custom_host !== undefined && { baseUrl: custom_host }),
    ...(Object.keys(options).length > 0 && { fields: options }),
  };
}

type Call = (target: Target, walk: Walk) => Route;

/** The call of a leaf inside everything that others do around it. */
const wrapped = (node: ConfigNode, { wrappers }: LeafContext): Call =>
  [...wrappers.leaf, ...wrappers.calls].reduceRight<Call>((inner, wrapper) => wrappedIn(wrapper, node, inner), one);

const wrappedIn =
  ({ wrap, failed }: NamedWrapper, node: ConfigNode, inner: Call): Call =>
  (target, walk) => {
    let inside: Route | undefined;
    const within = (next: Target): Route => {
      inside = inner(next, walk);
      return inside;
    };
    try {
      const route = wrap(target, node, walk, within);
      // Who does nothing around it has nothing to fail with.
      return route === inside ? route : namedRoute(route, failed);
    } catch (cause) {
      throw failed(cause);
    }
  };
