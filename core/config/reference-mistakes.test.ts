import { expect, it } from "vitest";
import { type Broken, mistakesIn } from "./testing.ts";

const broken: readonly Broken[] = [
  {
    why: "an unset variable where forms differ",
    source: `plugins: { rate-limits: { value: 1, burst: \${B} } }\n`,
    says: [
      `gateway.yaml:1:44 plugins.rate-limits.burst: the environment variable B is not set; set B, or write \${B:-default}`,
    ],
  },
  {
    why: "an unset variable",
    source: `providers:\n  acme:\n    apiKey: Bearer \${ACME_KEY}\n`,
    says: [
      `gateway.yaml:3:20 providers.acme.apiKey: the environment variable ACME_KEY is not set; set ACME_KEY, or write \${ACME_KEY:-default}`,
    ],
  },
  {
    why: "a variable that is set to nothing",
    source: `providers: { acme: { apiKey: \${ACME_KEY} } }\n`,
    variables: { ACME_KEY: "" },
    says: [
      `gateway.yaml:1:30 providers.acme.apiKey: the environment variable ACME_KEY is empty, or the file it names is; set ACME_KEY, or write \${ACME_KEY:-default}`,
    ],
  },
  {
    why: "unset variables in one text",
    source: `providers:\n  acme: { apiKey: "\${ONE}-\${TWO}" }\n`,
    says: [
      `gateway.yaml:2:20 providers.acme.apiKey: the environment variable ONE is not set; set ONE, or write \${ONE:-default}`,
      `gateway.yaml:2:27 providers.acme.apiKey: the environment variable TWO is not set; set TWO, or write \${TWO:-default}`,
    ],
  },
  {
    why: "a default that needs an unset variable",
    source: `providers: { acme: { apiKey: \${ONE:-\${TWO}} } }\n`,
    says: [
      `gateway.yaml:1:30 providers.acme.apiKey: the environment variable TWO is not set; set TWO, or write \${TWO:-default}`,
    ],
  },
  {
    why: "a reference with a dash",
    source: `providers: { acme: { apiKey: \${ACME-KEY} } }\n`,
    says: [
      `gateway.yaml:1:30 providers.acme.apiKey: "\${" begins a reference that is neither \${NAME} nor \${NAME:-default}; write "$\${" for the characters themselves`,
    ],
  },
  {
    why: "a reference without an end",
    source: `providers:\n  acme:\n    apiKey: a\${ACME\n`,
    says: [
      `gateway.yaml:3:14 providers.acme.apiKey: "\${" begins a reference that has no "}" on its line; write "$\${" for the characters themselves`,
    ],
  },
  {
    why: "a reference in a key",
    source: `providers:\n  \${NAME}: {}\n`,
    variables: { NAME: "acme" },
    says: ["gateway.yaml:2:3 providers: a reference can stand in a value, not in a key"],
  },
  {
    why: "a required option whose variable is empty",
    source: `providers:\n  acme:\n    apiKey: \${ACME_KEY:-}\n`,
    says: ["gateway.yaml:3:13 providers.acme.apiKey: is required, and its reference gives nothing: The API key."],
  },
  {
    why: "a variable of the wrong type",
    source: `server:\n  port: \${PORT}\n`,
    variables: { PORT: "hunter2" },
    says: ["gateway.yaml:2:9 server.port: expected a number, found text (from the environment variable PORT)"],
  },
  {
    why: "a quoted reference for a number",
    source: `server: { port: "\${PORT}" }\n`,
    variables: { PORT: "80" },
    says: [
      "gateway.yaml:1:17 server.port: expected a number, found text (from the environment variable PORT); remove the quotes around the reference",
    ],
  },
  {
    why: "a message that would tell a variable",
    source: `plugins: { webhook: { url: 'https://a.example', code: \${CODE} } }\n`,
    variables: { CODE: "hunter2" },
    says: ["gateway.yaml:1:55 plugins.webhook.code: the code [hidden] is wrong (from the environment variable CODE)"],
  },
  {
    why: "an entry of a list in a variable",
    source: `server: { trustedProxies: \${PROXIES} }\n`,
    variables: { PROXIES: "10.0.0.1, hunter2" },
    says: [
      "gateway.yaml:1:27 server.trustedProxies[1]: must be an address, or a range of them as in 10.0.0.0/8 (from the environment variable PROXIES)",
    ],
  },
  {
    why: "a module named by a variable",
    source: `plugins:\n  mine: { use: \${RULE} }\n`,
    variables: { RULE: "hunter2" },
    says: ["gateway.yaml:2:16 plugins.mine: cannot load what RULE names"],
  },
];

it.each(broken)("says what is wrong with $why", async ({ source, says, variables, file }) => {
  expect(await mistakesIn(source, variables, file)).toEqual(says);
});
