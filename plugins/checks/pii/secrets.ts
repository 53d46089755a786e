import type { Recogniser } from "./recogniser.ts";

const begins = "(?<![\\p{L}\\p{N}_-])";
const ends = "(?![\\p{L}\\p{N}_-])";
/** A token by its pattern, and the texts one of which it begins with. */
const token = (kind: string, hints: readonly string[], source: string, accept?: Recogniser["accept"]): Recogniser => ({
  kind,
  pattern: new RegExp(`${begins}(?:${source})${ends}`, "gu"),
  hints,
  ...(accept && { accept }),
});

/** Letters and digits both, as something drawn by lot has. */
const mixed = (matched: string): boolean => /\d/.test(matched) && /[A-Za-z]/.test(matched) && new Set(matched).size > 9;

const placeholder =
  /^(?:[<${*[]|x{4,}|\.{3}|your|my|the|example|change|process\.|os\.|env|null|none|true|false|undefined)/i;

/** Passwords and the like that are given to a name. Words are none: something of each kind has to be in it. */
const drawn = (matched: string): boolean =>
  !placeholder.test(matched) && /\d/.test(matched) && /[A-Za-z]/.test(matched);

/** Keys and other secrets, by the form their issuers give them. */
export const secrets: readonly Recogniser[] = [
  token("AWS_ACCESS_KEY", ["AKIA", "ASIA", "ABIA", "ACCA"], "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
  {
    kind: "AWS_SECRET_KEY",
    hints: ["ecret", "ECRET"],
    pattern:
      /(?<=(?:secret_?access_?key|aws_?secret)[ \t]{0,3}["']?[:=]? {0,3}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/giu,
    accept: mixed,
  },
  token("GITHUB_TOKEN", ["gh"], "gh[pousr]_[A-Za-z0-9]{36,100}|github_pat_[A-Za-z0-9_]{22,100}"),
  token("GITLAB_TOKEN", ["gl"], "gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,64}"),
  token("ANTHROPIC_KEY", ["sk-ant-"], "sk-ant-[A-Za-z0-9_-]{20,150}"),
  token("OPENAI_KEY", ["sk-"], "sk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,180}", mixed),
  token("GOOGLE_KEY", ["AIza", "GOCSPX-"], "AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}"),
  token("GOOGLE_TOKEN", ["ya29."], "ya29\\.[A-Za-z0-9_-]{20,250}"),
  token("SLACK_TOKEN", ["xox", "xapp-"], "xox[abeprs]-[A-Za-z0-9-]{10,100}|xapp-\\d-[A-Za-z0-9-]{20,120}"),
  token(
    "STRIPE_KEY",
    ["_live_", "_test_", "whsec_"],
    "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,120}|whsec_[A-Za-z0-9]{24,64}",
  ),
  token("SENDGRID_KEY", ["SG."], "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}"),
  token("TWILIO_KEY", ["SK"], "SK[0-9a-f]{32}"),
  token("NPM_TOKEN", ["npm_"], "npm_[A-Za-z0-9]{36}"),
  token("PYPI_TOKEN", ["pypi-"], "pypi-[A-Za-z0-9_-]{50,250}"),
  token("HUGGINGFACE_TOKEN", ["hf_"], "hf_[A-Za-z0-9]{30,60}"),
  token("DIGITALOCEAN_TOKEN", ["_v1_"], "do[opr]_v1_[0-9a-f]{64}"),
  token("GROQ_KEY", ["gsk_"], "gsk_[A-Za-z0-9]{40,60}"),
  token("XAI_KEY", ["xai-"], "xai-[A-Za-z0-9]{60,90}"),
  {
    kind: "URL_PASSWORD",
    hints: ["://"],
    pattern: /(?<=:\/\/[^\s:@/]{1,40}:)[^\s:@/]{3,80}(?=@[\w.-])/gu,
    accept: (matched) => !placeholder.test(matched),
  },
  {
    kind: "ASSIGNED_SECRET",
    hints: ["assw", "ASSW", "ecret", "ECRET", "oken", "OKEN", "key", "Key", "KEY", "pwd", "PWD"],
    pattern:
      /(?<=(?:password|passwd|pwd|secret|token|api[_ -]?key|access[_ -]?key)["']?(?: is|:|=| :| =) ?["']?)[^\s"'`,;<>(){}]{8,80}(?![^\s"'`,;<>(){}])/giu,
    accept: drawn,
  },
  token("JWT", ["eyJ"], "eyJ[A-Za-z0-9_-]{10,200}\\.eyJ[A-Za-z0-9_-]{10,1200}\\.[A-Za-z0-9_-]{20,700}"),
  {
    kind: "PRIVATE_KEY",
    hints: ["PRIVATE KEY-----"],
    pattern:
      /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----[A-Za-z0-9+/=\s\\,:-]{20,4000}?-----END (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----/gu,
  },
];

export const secretKinds: readonly string[] = [...new Set(secrets.map(({ kind }) => kind))];
/** Those that are so long that a stream has to wait for them. */
export const longKinds: readonly string[] = ["JWT", "PRIVATE_KEY"];
