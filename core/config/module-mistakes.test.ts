import { expect, it } from "vitest";
import { type Broken, mistakesIn } from "./testing.ts";

const broken: readonly Broken[] = [
  {
    why: "a section of the wrong kind",
    source: "plugins: [auth-open]\n",
    says: ["gateway.yaml:1:10 plugins: expected a map, found a list"],
  },
  {
    why: "a plugin under two names",
    source: "plugins:\n  auth-open:\n  open: { use: auth-open }\n",
    says: ['gateway.yaml:3:3 plugins.open: is the same plugin as "auth-open"; keep one of them'],
  },
  {
    why: "an unknown plugin",
    source: "plugins:\n  rate-limit: { value: 1 }\n",
    says: ['gateway.yaml:2:3 plugins.rate-limit: unknown plugin "rate-limit"; did you mean "rate-limits"?'],
  },
  {
    why: "a plugin like no other",
    source: "plugins:\n  quantum: {}\n",
    says: [
      'gateway.yaml:2:3 plugins.quantum: unknown plugin "quantum"; known plugins: rate-limits, webhook, auth-open, counters-memory, counters-redis, usage-limits, chicken, egg, broken; load any other with "use"',
    ],
  },
  {
    why: "an unknown provider",
    source: "providers:\n  opnai: {}\n",
    says: ['gateway.yaml:2:3 providers.opnai: unknown provider "opnai"; did you mean "openai"?'],
  },
  {
    why: "a plugin that fails to import",
    source: "plugins:\n  broken: {}\n",
    says: ['gateway.yaml:2:3 plugins.broken: the plugin "broken" fails to import: Error: no'],
  },
  {
    why: "something else than a name to use",
    source: "plugins:\n  mine: { use: [a] }\n",
    says: ["gateway.yaml:2:16 plugins.mine.use: expected text: a built-in name, a relative path or a package"],
  },
  {
    why: "a plugin name with a slash",
    source: "providers:\n  a/b: { use: openai }\n",
    says: [
      'gateway.yaml:2:3 providers["a/b"]: this name cannot be used: the name of a provider is letters, digits, ".", "_" and "-"',
    ],
  },
  {
    why: "a service nobody provides",
    source: "plugins:\n  auth-open:\n  usage-limits:\n",
    says: [
      'gateway.yaml:3:3 plugins.usage-limits: needs the service "counters", which no plugin in the file provides; add counters-memory or counters-redis',
    ],
  },
  {
    why: "a service provided twice",
    source: "plugins:\n  counters-memory:\n  counters-redis:\n",
    says: [
      'gateway.yaml:3:3 plugins.counters-redis: provides "counters", and so does "counters-memory"; keep one of them',
    ],
  },
  {
    why: "services that wait for each other",
    source: "plugins:\n  chicken:\n  egg:\n",
    says: ["gateway.yaml:2:3 plugins.chicken: waits for its own service: chicken needs egg needs chicken"],
  },
  {
    why: "many things at once",
    source: "server: { prot: 1 }\nplugins:\n  rate-limits: { value: -1 }\n  quantum: {}\nproviders:\n  acme:\n",
    says: [
      'gateway.yaml:1:11 server: unknown option "prot"; did you mean "port"?',
      "gateway.yaml:3:25 plugins.rate-limits.value: must be more than 0; found the number -1",
      'gateway.yaml:4:3 plugins.quantum: unknown plugin "quantum"; known plugins: rate-limits, webhook, auth-open, counters-memory, counters-redis, usage-limits, chicken, egg, broken; load any other with "use"',
      'gateway.yaml:6:3 providers.acme: the option "apiKey" is missing: The API key.',
    ],
  },
];

it.each(broken)("says what is wrong with $why", async ({ source, says, variables, file }) => {
  expect(await mistakesIn(source, variables, file)).toEqual(says);
});
