import {
  ApiKeys,
  AuditTrail,
  Budgets,
  definePlugin,
  isToken,
  Management,
  type NewUserKey,
  Notifications,
  OptionsError,
  Organisations,
  Records,
  Sealing,
  Stage,
  secret,
  settleTap,
  shortestKey,
  z,
} from "../../core/index.ts";
import { archivePerson } from "./archive-person.ts";
import { Door } from "./door.ts";
import { DeclaredKeys } from "./file-keys.ts";
import { adminKey, announcement, firstKey, untilDone } from "./first-key.ts";
import { Installation } from "./installation.ts";
import { Keys } from "./keys.ts";
import { knownKey } from "./known-key.ts";
import { manageKeys } from "./manage.ts";
import { Places } from "./places.ts";
import { rulesFinder } from "./rules.ts";
import { Secrets } from "./secrets.ts";
import { repeatedly, sweep } from "./sweep.ts";
import { bounded } from "./unknown-values.ts";
import { envelope } from "./unread.ts";
import { userKey } from "./user-key.ts";

const days = z.int().min(1).max(3650);

export default definePlugin({
  name: "api-keys",
  summary: "API keys that are kept in the store and managed over the API.",
  options: z.strictObject({
    prefix: z
      .string()
      .regex(/^[\w-]{0,32}$/, "may hold up to 32 letters, digits, _ and -")
      .default("")
      .describe("What new keys begin with: ${API_KEY_PREFIX:-}."),
    bootstrapKey: secret()
      .exactOptional()
      .describe(
        "The admin key of the first start, by reference: ${BOOTSTRAP_ADMIN_KEY:-}. Without one it is made, and printed once.",
      ),
    unknownPerSecond: z
      .int()
      .min(1)
      .default(50)
      .describe("Questions to the store in a second about keys that were not made here; more are answered 429."),
    sweepInterval: z
      .int()
      .min(1000)
      .default(900_000)
      .describe("Milliseconds between two rounds of ending, rotating and telling of what is due."),
    userKeys: z
      .strictObject({
        rotationDays: z.int().min(1).max(365).exactOptional().describe("Days between rotations, for all of them."),
        defaultDays: days.exactOptional().describe("Days after which one expires that says nothing of it."),
        maxDays: days.exactOptional().describe("Days after which one expires at the latest."),
        limit: z.int().min(1).exactOptional().describe("Keys of people in one workspace at most."),
      })
      .prefault({})
      .describe("What keys of people have to keep to where their organisation or workspace has not decided it."),
  }),
  needs: [Management, Organisations, Records],
  uses: [AuditTrail, Budgets, Notifications, Sealing],
  provides: [ApiKeys],
  setup({ service, offered, provide, hooks, log, onServing, onClose }, options) {
    const { prefix, bootstrapKey: given, unknownPerSecond, sweepInterval, userKeys } = options;
    if (given) checkGiven(given.reveal());
    const now = Date.now;
    const records = service(Records);
    const organisations = service(Organisations);
    const rules = rulesFinder(userKeys, organisations);
    const installation = new Installation(records);
    const admitUnknown = bounded(unknownPerSecond, now);
    const secrets = new Secrets({ records, installation, prefix, admitUnknown, now });
    const declared = new DeclaredKeys();
    const keys = new Keys({
      records,
      secrets,
      envelope: envelope(offered(Sealing), installation),
      declared: declared.documents,
      now,
    });
    const places = new Places({ records, keys, now });
    const known = keys.store.kept(knownKey, { most: 100_000, absentFor: 30_000 });
    let starting: Promise<void> | undefined;
    const door = new Door({
      installation,
      secrets,
      keys: known,
      workspace: (organisation, id) => organisations.workspace(organisation, id),
      declared: declared.find,
      starting: () => starting,
      now,
    });
    onClose(() => {
      for (const one of [known, secrets, installation]) one.close();
    });
    // After those who know tokens, and before those who let in whoever has no credential.
    hooks.auth.tapAsync({ name: "api-keys", stage: Stage.guard }, (exchange, done) => {
      settleTap(door.admit(exchange), done);
    });
    const audit = offered(AuditTrail);
    const notifications = offered(Notifications);
    const management = service(Management);
    const making = { keys, places, organisations, rules, now, reference: management.reference };
    manageKeys({ ...making, management, audit, budgets: offered(Budgets) });
    const issue = (key: NewUserKey) => userKey(making, key);
    provide(ApiKeys, {
      declare: (all) => declared.declare(all),
      async adminKey() {
        const { id, value } = await adminKey({ organisations, keys }, "Admin key");
        return { id, key: value };
      },
      userKey: issue,
      today: (principal) => door.today(principal),
      archive: (whose) => archivePerson(keys, whose),
    });
    organisations.keys({
      issue,
      archive: (organisation, user, workspace) =>
        archivePerson(keys, { organisation, user, ...(workspace !== undefined && { workspace }) }),
    });
    onServing(({ url }) => {
      const trying = untilDone(async () => {
        const made = await firstKey({ installation, organisations, keys, secrets, given, log });
        if (made) process.stdout.write(announcement(made, url));
      }, log);
      starting = trying.first.finally(() => {
        starting = undefined;
      });
      const stopSweeping = repeatedly(
        sweepInterval,
        async () => {
          if (await installation.turn("last-sweep", now(), sweepInterval))
            await sweep({ keys, audit, notifications, log, now });
        },
        log,
      );
      onClose(() => {
        trying.stop();
        stopSweeping();
      });
    });
  },
});

function checkGiven(value: string): void {
  if (value.length < shortestKey) throw refused(`is shorter than ${shortestKey} characters`);
  if (isToken(value)) throw refused("looks like a JSON Web Token, and would be taken for one");
}

const refused = (message: string) => new OptionsError({ path: ["bootstrapKey"], message });
