import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";

/**
 * Whether limits are looked at for a request (policies.md section 5.5): whatever makes a model work, and raw calls, of which
 * nobody knows. Asking for what is there is free, and so are parts of what was let in already, and what nobody is sent.
 */
export function isLimited({ endpoint, method, url, role, rehearsal }: LimitedExchange): boolean {
  if (rehearsal || (role === "internal" && endpoint.procedure)) return false;
  if (endpoint.operation !== undefined || endpoint.prepare !== undefined || endpoint.socket !== undefined) return true;
  if (endpoint.procedure) return method === "POST";
  return endpoint.rawBody === true && endpoint.type === "proxy" && !isRead(method, url);
}

/** What vendors keep for their clients. Below `/v1/proxy` whatever is asked is a raw call. */
const kept = /^(?:\/v1)+\/+(?:files|batches|fine_tuning|models|responses)(?=[/?]|$)/;
const keptResponse = /^(?:\/v1)+\/+responses\/[^/?]+\/?(?=\?|$)/;

/** Whether it is only read what is there, or a response deleted, where no plugin of the gateway answers that itself. */
const isRead = (method: string, url: string): boolean =>
  method === "GET" || method === "HEAD" ? kept.test(url) : method === "DELETE" && keptResponse.test(url);

/**
 * What a plugin asks for somebody's request: it goes to its target at once, without a route. That is looked at, and settled, as
 * always; who asks was let in with the request, and what is used for it is counted when it is known.
 */
export const isOfGateway = ({ role, route }: Pick<Exchange, "role" | "route">): boolean =>
  role === "internal" && route === undefined;

type LimitedExchange = Pick<Exchange, "endpoint" | "method" | "url" | "role" | "rehearsal">;

/** The call of a target that is the first of its kind, and its retries. */
export function callsOf(attempts: readonly Attempt[], first: number): readonly Attempt[] {
  const { target, lane } = attempts[first] as Attempt;
  const calls = [attempts[first] as Attempt];
  for (const attempt of attempts.slice(first + 1)) {
    if (attempt.target.path !== target.path || attempt.lane !== lane) continue;
    if (!attempt.target.retry) break;
    calls.push(attempt);
  }
  return calls;
}

/** The exchange that the attempts of a branch are counted with: its own, but for rivals, which share those of another. */
export function rootOf(exchange: Exchange): Exchange {
  let root = exchange;
  while (root.trunk && root.trunk.attempts === root.attempts) root = root.trunk;
  return root;
}

/**
 * Counters of an organisation lie in one place, so that what a request meets is one step. Callers of no organisation share
 * one, whichever key they come with: what a limit counts apart its own key says.
 */
export const groupOf = ({ principal }: Pick<Exchange, "principal">): string =>
  principal ? (principal.organisation ?? sharedGroup) : "";

/** As it has always been called where everybody is let in. */
export const sharedGroup = '["principal","anyone"]';
