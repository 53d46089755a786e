import { createHmac } from "node:crypto";
import { atMost, errorMessage, type Logger, type PluginContext, type Secret } from "../../core/index.ts";
import type { Payload } from "./payload.ts";

export interface WebhookParts {
  readonly url: string;
  readonly secret: Secret;
  /** Milliseconds one try may take. */
  readonly timeout: number;
  /** Events under way at most, those between two tries included. */
  readonly most: number;
  readonly ask: PluginContext["ask"];
  readonly log: Logger;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

const firstPause = 1000;
const retries = 5;

/** Tries under way at a time. */
const lanes = 4;

/**
 * Tells a URL of events, each of them until it answers 2xx, six times at most (control-plane.md section 25). The signature
 * is of the body, which says when it was sent: an old one that is sent again by somebody else can be told from it.
 */
export class Webhook {
  readonly #parts: WebhookParts;
  readonly #host: string;
  readonly #underWay = new Set<Promise<void>>();
  readonly #queue: (() => void)[] = [];
  readonly #pauses = new Set<() => void>();
  #free = lanes;
  #refused = 0;
  #heir: Webhook | undefined;
  #closing = false;
  #closed = false;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    this.#host = new URL(parts.url).host;
  }

  /** Returns at once. `tries` is which try of the payload is the next one. */
  tell(payload: Payload, tries = 1): void {
    if (this.#heir) return this.#heir.tell(payload, tries);
    const { most, log } = this.#parts;
    if (this.#closing || this.#underWay.size >= most) {
      this.#refused++;
      if (this.#refused === 1)
        log.error("a notification is not delivered, and further ones may not be: too many wait", this.#about(payload));
      return;
    }
    const delivery = this.#deliver(payload, tries).finally(() => {
      this.#underWay.delete(delivery);
      if (this.#underWay.size === 0) this.#tellOfRefused();
    });
    this.#underWay.add(delivery);
  }

  /**
   * Hands what waits to the one that tells this URL of events from now on. Without one the gateway ends: what waits is tried
   * once more, for so many milliseconds, and the rest is given up.
   */
  async close(patience: number, heir?: Webhook): Promise<void> {
    this.#heir = heir;
    this.#closing = true;
    for (const wake of this.#pauses) wake();
    await atMost(patience, Promise.all(this.#underWay));
    this.#closed = true;
    const { log } = this.#parts;
    if (this.#underWay.size > 0 && !heir)
      log.error("notifications are not delivered: the gateway ended", {
        host: this.#host,
        notifications: this.#underWay.size,
      });
    this.#tellOfRefused();
  }

  async #deliver(payload: Payload, first: number): Promise<void> {
    if (first > 1) await this.#pause(this.#pauseBefore(first - 1));
    for (let tries = first; ; tries++) {
      await this.#lane();
      if (this.#heir) {
        this.#leave();
        return this.#heir.tell(payload, tries);
      }
      const trouble = await this.#try(payload).finally(() => this.#leave());
      if (trouble === undefined || (this.#closed && !this.#heir)) return;
      if (tries > retries || (this.#closing && !this.#heir)) {
        this.#parts.log.error("a notification is not delivered", { ...this.#about(payload), tries, reason: trouble });
        return;
      }
      this.#parts.log.debug("a notification is tried again", { ...this.#about(payload), tries, reason: trouble });
      await this.#pause(this.#pauseBefore(tries));
    }
  }

  /** What went wrong; undefined where nothing did. */
  async #try(payload: Payload): Promise<string | undefined> {
    const { ask, url, secret, timeout, now } = this.#parts;
    try {
      const body = JSON.stringify({ ...payload, sent_at: new Date(now()).toISOString() });
      const signature = createHmac("sha256", secret.reveal()).update(body).digest("hex");
      const { status } = await ask({
        method: "POST",
        url,
        headers: { "content-type": "application/json", "x-gateway-signature": signature },
        body,
        trusted: true,
        timeout,
      });
      return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
    } catch (error) {
      return errorMessage(error);
    }
  }

  /** Twice as long each time, at a moment of chance in the upper half of it. */
  #pauseBefore(retry: number): number {
    const whole = firstPause * 2 ** (retry - 1);
    return whole / 2 + (whole / 2) * this.#parts.random();
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#closing) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#pauses.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds).unref();
      this.#pauses.add(wake);
    });
  }

  async #lane(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }

  #tellOfRefused(): void {
    if (this.#refused === 0) return;
    this.#parts.log.error("notifications are not delivered: too many waited", {
      host: this.#host,
      notifications: this.#refused,
    });
    this.#refused = 0;
  }

  #about({ event, id }: Payload): { readonly host: string; readonly event: string; readonly notification: string } {
    return { host: this.#host, event, notification: id };
  }
}
