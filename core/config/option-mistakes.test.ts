import { expect, it } from "vitest";
import { type Broken, mistakesIn } from "./testing.ts";

const broken: readonly Broken[] = [
  {
    why: "a value that its schema chokes on",
    source: "plugins: { webhook: { url: 'https://a.example', parsed: hunter2 } }\n",
    says: ["gateway.yaml:1:12 plugins.webhook: its schema fails to read these options: SyntaxError"],
  },
  {
    why: "text for a list",
    source: "plugins: { rate-limits: { value: 1, names: a } }\n",
    says: ["gateway.yaml:1:44 plugins.rate-limits.names: expected a list, found text"],
  },
  {
    why: "a misspelt option",
    source: "plugins:\n  rate-limits:\n    valeu: 3\n    value: 3\n",
    says: ['gateway.yaml:3:5 plugins.rate-limits: unknown option "valeu"; did you mean "value"?'],
  },
  {
    why: "an option like no other",
    source: "plugins: { rate-limits: { value: 3, colour: red } }\n",
    says: [
      'gateway.yaml:1:37 plugins.rate-limits: unknown option "colour"; known options: value, unit, dryRun, names, burst, share, store',
    ],
  },
  {
    why: "an option of a plugin that has none",
    source: "plugins: { auth-open: { colour: red } }\n",
    says: ['gateway.yaml:1:25 plugins.auth-open: unknown option "colour"; there are no options'],
  },
  {
    why: "a misspelt option of the server",
    source: "server:\n  clocks:\n    conect: 5\n",
    says: ['gateway.yaml:3:5 server.clocks: unknown option "conect"; did you mean "connect"?'],
  },
  {
    why: "a missing option",
    source: "plugins:\n  rate-limits: {}\n",
    says: ['gateway.yaml:2:3 plugins.rate-limits: the option "value" is missing: Requests allowed per window.'],
  },
  {
    why: "a missing option of a JSON file",
    source: '{\n  "plugins": {\n    "webhook": {}\n  }\n}',
    file: "gateway.json",
    says: ['gateway.json:3:5 plugins.webhook: the option "url" is missing: Where to call.'],
  },
  {
    why: "text for a number",
    source: "plugins: { rate-limits: { value: lots } }\n",
    says: ['gateway.yaml:1:34 plugins.rate-limits.value: expected a number, found the text "lots"'],
  },
  {
    why: "a number for text",
    source: "server: { host: 127 }\n",
    says: ["gateway.yaml:1:17 server.host: expected text, found the number 127; put it in quotes"],
  },
  {
    why: "a fraction for a whole number",
    source: "server: { port: 80.5 }\n",
    says: ["gateway.yaml:1:17 server.port: expected a whole number, found the number 80.5"],
  },
  {
    why: "nothing for a number",
    source: "server:\n  port:\n",
    says: ["gateway.yaml:2:8 server.port: expected a number, found nothing"],
  },
  {
    why: "a number out of bounds",
    source: "server: { port: 65536, connectionsPerHost: 0 }\n",
    says: [
      "gateway.yaml:1:17 server.port: must be at most 65535; found the number 65536",
      "gateway.yaml:1:44 server.connectionsPerHost: must be more than 0; found the number 0",
    ],
  },
  {
    why: "a number that must stay below",
    source: "plugins: { rate-limits: { value: 1, share: 1 } }\n",
    says: ["gateway.yaml:1:44 plugins.rate-limits.share: must be less than 1; found the number 1"],
  },
  {
    why: "a number between steps",
    source: "plugins: { rate-limits: { value: 1, share: 0.3 } }\n",
    says: ["gateway.yaml:1:44 plugins.rate-limits.share: must be a multiple of 0.25; found the number 0.3"],
  },
  {
    why: "a word that is not listed",
    source: "plugins: { rate-limits: { value: 1, unit: rmp } }\n",
    says: [
      'gateway.yaml:1:43 plugins.rate-limits.unit: must be one of "rpm", "rph", "rpd"; found the text "rmp"; did you mean "rpm"?',
    ],
  },
  {
    why: "no for true or false",
    source: "plugins: { rate-limits: { value: 1, dryRun: no } }\n",
    says: ['gateway.yaml:1:45 plugins.rate-limits.dryRun: expected true or false, found the text "no"'],
  },
  {
    why: "too long a list",
    source: "plugins: { rate-limits: { value: 1, names: [a, b, c] } }\n",
    says: ["gateway.yaml:1:44 plugins.rate-limits.names: must have at most 2 entries; found a list"],
  },
  {
    why: "a wrong entry of a list",
    source: "plugins:\n  rate-limits:\n    value: 1\n    names:\n      - a\n      - [b]\n",
    says: ["gateway.yaml:6:9 plugins.rate-limits.names[1]: expected text, found a list"],
  },
  {
    why: "neither form of a value",
    source: "server: { workers: all }\n",
    says: ['gateway.yaml:1:20 server.workers: expected a number or "auto"; found the text "all"'],
  },
  {
    why: "a form that nearly fits",
    source: "plugins: { rate-limits: { value: 1, burst: 11 } }\n",
    says: ["gateway.yaml:1:44 plugins.rate-limits.burst: must be at most 10; found the number 11"],
  },
  {
    why: "a wrong option of one form",
    source: "plugins: { rate-limits: { value: 1, store: { kind: memory, size: big } } }\n",
    says: ['gateway.yaml:1:66 plugins.rate-limits.store.size: expected a number, found the text "big"'],
  },
  {
    why: "an unknown form",
    source: "plugins: { webhook: { url: 'https://a.example', auth: { type: digest } } }\n",
    says: ['gateway.yaml:1:63 plugins.webhook.auth.type: must be one of "none", "basic"; found the text "digest"'],
  },
  {
    why: "a missing option of a form",
    source: "plugins: { webhook: { url: 'https://a.example', auth: { type: basic } } }\n",
    says: ['gateway.yaml:1:49 plugins.webhook.auth: the option "user" is missing: The user\'s name.'],
  },
  {
    why: "no URL",
    source: "plugins: { webhook: { url: example.com/hook } }\n",
    says: [
      'gateway.yaml:1:28 plugins.webhook.url: must be a URL such as "https://example.com"; found the text "example.com/hook"',
    ],
  },
  {
    why: "text too short and of the wrong letters",
    source: "plugins: { webhook: { url: 'https://a.example', label: '1' } }\n",
    says: [
      'gateway.yaml:1:56 plugins.webhook.label: must have at least 2 characters; found the text "1"',
      'gateway.yaml:1:56 plugins.webhook.label: must match /^[a-z]+$/; found the text "1"',
    ],
  },
  {
    why: "a name that is not allowed",
    source: "plugins:\n  webhook:\n    url: https://a.example\n    headers: { cookie: a }\n",
    says: [
      'gateway.yaml:4:16 plugins.webhook.headers.cookie: this name cannot be used: a header name begins with "x-"',
    ],
  },
  {
    why: "a secret that is a number",
    source: "providers: { acme: { apiKey: 123456 } }\n",
    says: ["gateway.yaml:1:30 providers.acme.apiKey: expected text, found a number; put it in quotes"],
  },
  {
    why: "options that are no map",
    source: "plugins:\n  auth-open: true\n",
    says: ["gateway.yaml:2:14 plugins.auth-open: expected a map, found true"],
  },
  {
    why: "a secret in the place of a provider's options",
    source: "providers:\n  acme: hunter2\n",
    says: ["gateway.yaml:2:9 providers.acme: expected a map, found text"],
  },
  {
    why: "no space behind a colon",
    source: "providers:\n  acme:\n    apiKey:hunter2\n",
    says: ['gateway.yaml:3:5 providers.acme: expected a map, found text; write a space behind the colon of "apiKey:"'],
  },
  {
    why: "a number that is none",
    source: "server: { port: .nan }\n",
    says: ["gateway.yaml:1:17 server.port: expected a number, found the number NaN"],
  },
  {
    why: "a trusted host that cannot be one",
    source: "server:\n  trustedHosts: [localhost, 10.0.0.0/8]\n",
    says: ["gateway.yaml:2:29 server.trustedHosts[1]: address ranges are not supported; list the addresses"],
  },
];

it.each(broken)("says what is wrong with $why", async ({ source, says, variables, file }) => {
  expect(await mistakesIn(source, variables, file)).toEqual(says);
});
