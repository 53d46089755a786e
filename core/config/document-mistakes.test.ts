import { expect, it } from "vitest";
import { type Broken, mistakesIn } from "./testing.ts";

const broken: readonly Broken[] = [
  {
    why: "syntax that a secret is part of",
    source: 'a: |hunter2\nb: "\\hunter2"\n',
    says: [
      "gateway.yaml:1:5 Block scalar header includes extra characters",
      "gateway.yaml:2:5 Invalid escape sequence in double quotes",
    ],
  },
  {
    why: "an alias to what it is in",
    source: "server: &base { log: *base }\n",
    says: [
      'gateway.yaml:1:17 server.log: unknown option "log"; known options: level',
      "gateway.yaml:1:22 server.log.log: the alias *base does not lead to a value",
    ],
  },
  {
    why: "a merge key",
    source: "providers:\n  acme: &base { apiKey: a }\n  openai: { <<: *base, apiKey: b }\n",
    says: [
      'gateway.yaml:3:13 providers.openai: merging with "<<" is not supported; write the options out, or give an alias as the whole value',
    ],
  },
  {
    why: "an alias to nothing in the place of options",
    source: "providers:\n  mine: *base\n  acme: { apiKey: *key }\n",
    says: [
      "gateway.yaml:2:9 providers.mine: the alias *base does not lead to a value",
      "gateway.yaml:3:19 providers.acme.apiKey: the alias *key does not lead to a value",
    ],
  },
  {
    why: "bad YAML",
    source: "plugins:\n  auth-open: [\n",
    says: ["gateway.yaml:3:1 Flow sequence in block collection must be sufficiently indented and end with a ]"],
  },
  {
    why: "several faults of syntax",
    source: "a: @x\nb: `y\n",
    says: [
      "gateway.yaml:1:4 Plain value cannot start with reserved character @",
      "gateway.yaml:2:4 Plain value cannot start with reserved character `",
    ],
  },
  {
    why: "several documents",
    source: "plugins: {}\n---\nplugins: {}\n",
    says: ["gateway.yaml:2:1 the file holds several documents; keep one"],
  },
  { why: "an unknown tag", source: "server: !secret {}\n", says: ["gateway.yaml:1:9 Unresolved tag: !secret"] },
  {
    why: "an alias to nothing",
    source: "server: *base\n",
    says: ["gateway.yaml:1:9 server: the alias *base does not lead to a value"],
  },
  {
    why: "bad JSON",
    source: '{ "plugins": { "auth-open": {} }',
    file: "gateway.json",
    says: ["gateway.json:1:33 Flow map must end with a }"],
  },
  {
    why: "an empty file",
    source: "# nothing yet\n",
    says: ['gateway.yaml:1:1 the file is empty; it needs the sections "plugins" and "providers"'],
  },
  { why: "a list for a file", source: "- plugins\n", says: ["gateway.yaml:1:1 expected a map, found a list"] },
  {
    why: "a misspelt section",
    source: "pluginz:\n  auth-open: {}\n",
    says: ['gateway.yaml:1:1 unknown section "pluginz"; did you mean "plugins"?'],
  },
  {
    why: "a key written twice",
    source: "server:\n  port: 1\n  host: a\n  port: 2\n",
    says: ["gateway.yaml:4:3 server.port: is written twice, first in line 2; keep one"],
  },
  {
    why: "a plugin written twice",
    source: "plugins:\n  auth-open: {}\n  auth-open: {}\n",
    says: ["gateway.yaml:3:3 plugins.auth-open: is written twice, first in line 2; keep one"],
  },
  {
    why: "a JSON key written twice",
    source: '{\n  "server": { "port": 1, "port": 2 }\n}',
    file: "gateway.json",
    says: ["gateway.json:2:26 server.port: is written twice, first in line 2; keep one"],
  },
];

it.each(broken)("says what is wrong with $why", async ({ source, says, variables, file }) => {
  expect(await mistakesIn(source, variables, file)).toEqual(says);
});
