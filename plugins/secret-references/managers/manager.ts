import { type Ask, GatewayError, type OutboundAnswer, type OutboundRequest, type z } from "../../../core/index.ts";
import type { SecretContent } from "../secret-content.ts";

/** A place where secrets lie. */
export interface Manager<Auth = unknown> {
  /** What `auth_config` holds for it; members it does not name are left out. */
  readonly auth: z.ZodType<Auth>;
  /** Why a path is none, as it goes on after its name; undefined where it is one. */
  readonly refusePath: (path: string) => string | undefined;
  /** Members of `auth_config` that are shown masked. */
  readonly masked: readonly string[];
  /** Where calls go by what `auth_config` says, by the member that says it. */
  readonly addresses?: (auth: Auth) => Readonly<Record<string, string>>;
  /** Whether it shows who this machine is, instead of credentials of its own. */
  readonly showsMachine?: (auth: Auth) => boolean;
  /** Only the config file may name it: it reads what is the machine's own. */
  readonly ofFile?: true;
  /** Made once for a reference; what it returns fetches the secret. */
  open(place: Place<Auth>, tools: ManagerTools): () => Promise<SecretContent>;
}

export interface Place<Auth> {
  readonly auth: Auth;
  readonly path: string;
  /** The reference stands in the config file. */
  readonly trusted: boolean;
}

export interface ManagerTools {
  readonly ask: Ask;
  /** The folder of the config file. */
  readonly folder: string;
  readonly options: ManagerOptions;
}

/** Where managers are, and what they are shown, as the options of the plugin say it. */
export interface ManagerOptions {
  /** Whether references made over the API may show who this machine is. */
  readonly machineIdentity: boolean;
  readonly kubernetesTokenFile: string;
  readonly awsUrl?: string;
  readonly stsUrl?: string;
  readonly azureScope: string;
  readonly azureAuthorityHost?: string;
  readonly azureIdentityEndpoint?: string;
  readonly googleUrl: string;
  readonly googleTokenUrl: string;
}

/** A manager, whatever it authenticates with. */
export function manager<Auth>(definition: Manager<Auth>): Manager {
  const { auth, addresses, showsMachine, open } = definition;
  return {
    ...definition,
    ...(addresses && { addresses: (given: unknown) => addresses(auth.parse(given)) }),
    ...(showsMachine && { showsMachine: (given: unknown) => showsMachine(auth.parse(given)) }),
    open: (place, tools) => open({ ...place, auth: auth.parse(place.auth) }, tools),
  } as Manager;
}

/** Milliseconds one call to a manager may take. */
const timeout = 5_000;

/**
 * The JSON a manager answers. Rejects with `secret_unresolved` where it refuses, and with an error that is worth another
 * try where it is in trouble; messages hold its status and nothing that was sent.
 */
export async function answerOf(
  ask: Ask,
  request: Omit<OutboundRequest, "timeout">,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const answer = await ask({ ...request, timeout });
  return { status: answer.status, body: jsonOf(answer) };
}

function jsonOf({ text }: OutboundAnswer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // The status says what there is to say.
  }
  return {};
}

/** Why there is no secret, by the status of an answer. */
export function refused(status: number, what: string, reason = ""): GatewayError {
  const trouble = status >= 500 || status === 429;
  const said = `It answered ${status} to ${what}${reason && `: ${reason}`}.`;
  return new GatewayError(trouble ? "upstream_unreachable" : "secret_unresolved", said);
}

/** A word of the manager's own; what it quotes is left out. */
export const wordIn = (value: unknown): string =>
  typeof value === "string" && /^[\w.:#-]{1,80}$/.test(value) ? value : "";
