import {
  definePlugin,
  type Notification,
  Notifications,
  OptionsError,
  Succession,
  secret,
  serviceToken,
  z,
} from "../../core/index.ts";
import { type Payload, payloadOf } from "./payload.ts";
import { Webhook } from "./webhook.ts";

const names = [
  "api_key.rotated",
  "api_key.transition_expiring",
  "api_key.rotation_upcoming",
  "limit.threshold_crossed",
  "limit.exhausted",
  "invite.created",
] as const satisfies readonly Notification["event"][];

/** Milliseconds that the end of this process waits for receivers. */
const patience = 5000;

/**
 * Those of the generation that answers, by their URLs, and where several have one, by which of them it is: each has a secret
 * of its own. What an older generation could not deliver yet is handed to them.
 */
type Webhooks = ReadonlyMap<string, Webhook>;

const Serving = serviceToken<Succession<Webhooks>>("webhooks that are told");

const events = z.array(z.enum(names)).default([...names]);

export default definePlugin({
  name: "notifications",
  summary: "Tells people of what they should know: in the process log, and to webhooks.",
  options: z.strictObject({
    logged: events.describe("Events that are written to the process log."),
    webhooks: z
      .array(
        z.strictObject({
          url: z
            .url({ protocol: /^https?$/ })
            .exactOptional()
            .describe("Where to: ${NOTIFY_WEBHOOK_URL:-}. An entry without one is none."),
          secret: secret()
            .exactOptional()
            .describe("What bodies are signed with: ${NOTIFY_WEBHOOK_SECRET:-}. A URL needs one."),
          events: events.describe("Events it is told of."),
          confidential: z
            .boolean()
            .default(false)
            .describe(
              "Whether it is told the link of an invite, which lets in whoever has it: to write to the invitee.",
            ),
        }),
      )
      .default([])
      .describe("Who else is told, with a POST for each event."),
    timeout: z.int().min(1).default(10_000).describe("Milliseconds a receiver may take."),
    waiting: z
      .int()
      .min(1)
      .default(1000)
      .describe("Events under way to one receiver at most; more are given up, and counted."),
  }),
  provides: [Notifications],
  setup({ provide, ask, log, kept, onServing, onClose }, { logged, webhooks, timeout, waiting: most }) {
    const receivers = webhooks.flatMap(({ url, secret: key, events: told, confidential }, at) => {
      if (url === undefined) return [];
      if (!key)
        throw new OptionsError({
          path: ["webhooks", at],
          message: "has a url, and no secret to sign with: set secret",
        });
      const webhook = new Webhook({ url, secret: key, timeout, most, ask, log, now: Date.now, random: Math.random });
      const before = webhooks.slice(0, at).filter((one) => one.url === url).length;
      return [{ place: `${before} ${url}`, webhook, told: new Set<string>(told), confidential }];
    });
    const succession = kept(Serving, () => new Succession<Webhooks>());
    const own = new Map(receivers.map(({ place, webhook }) => [place, webhook]));
    onServing(() => succession.serve(own));
    onClose(async () => {
      succession.leave(own);
      const heirs = succession.serving;
      await Promise.all(receivers.map(({ place, webhook }) => webhook.close(patience, heirs?.get(place))));
    }, patience + 1_000);
    const inLog = new Set<string>(logged);
    provide(Notifications, {
      notify(notification) {
        const payload = payloadOf(notification, Date.now());
        if (inLog.has(payload.event)) log.info("notification", { ...payload });
        for (const { webhook, told, confidential } of receivers)
          if (told.has(payload.event)) webhook.tell(confidential ? whole(payload, notification) : payload);
      },
    });
  },
});

const whole = (payload: Payload, { confidential, recipients = [] }: Notification): Payload => ({
  ...payload,
  data: { ...payload.data, ...confidential },
  recipients,
});
