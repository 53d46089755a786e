import { normalised, payloads, unleeted } from "./normalise.ts";

export interface Signal {
  readonly name: string;
  /** How likely it alone makes a text an attack, from 0 to 1. */
  readonly weight: number;
}

const earlier =
  "(?:previous|prior|above|earlier|preceding|initial|original|former|existing|current|system|safety|content|ethical|your|my|given|these|those|prior)";
const orders =
  "(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|constraints?|polic(?:y|ies)|programming|training|guardrails?|restrictions?|protocols?|told)";
const fewWords = "(?:[\\p{L}'-]+[ ,]+){0,4}";
const hiddenPrompt =
  "(?:(?:system|initial|original|hidden|secret|developer|base|internal|pre) ?-?(?:prompts?|instructions?|messages?|rules|configuration)|your (?:\\w+ )?(?:prompt|instructions|guidelines|rules|configuration)|(?:prompt|text|words|instructions|everything|message)s? above|above (?:prompt|text|instructions))";

const patterns: readonly (readonly [name: string, weight: number, pattern: RegExp])[] = [
  [
    "instruction override",
    0.8,
    of(
      `\\b(?:ignor(?:e|ing)|disregard|forget|bypass|overrid(?:e|ing)|neglect|drop|abandon|discard|erase|stop (?:following|obeying)|(?:do not|don't|no longer) (?:follow|obey|adhere to))\\b ${fewWords}${earlier} ${fewWords}${orders}`,
    ),
  ],
  [
    "instruction override",
    0.7,
    of(
      `\\b(?:ignore|disregard|forget) (?:everything|all|anything|what)(?: that)?(?: (?:was|is|has been|you were|you have been|i))? ?(?:said|told|written|above|before|prior|previously|you know)`,
    ),
  ],
  [
    "instruction override",
    0.8,
    of(
      "ignorier\\w* (?:alle )?(?:bisherigen|vorherigen|obigen|deine)|vergiss (?:alle|deine) |ignora (?:todas )?(?:las )?(?:instrucciones|tutte)|ignora (?:tutte )?le istruzioni|ignore[zr]? (?:toutes )?(?:les|tes|vos) (?:instructions|consignes)|ignore (?:todas )?as instrucoes|игнорируи? (?:все )?(?:предыдущие|инструкции)|忽略.{0,6}(?:指令|指示|说明|提示)|無視して|이전 .{0,6}무시",
    ),
  ],
  [
    "new instructions",
    0.45,
    of(
      "\\b(?:new|updated|real|actual|true) (?:system )?(?:instructions?|task|objective|directive|prompt) ?(?:is|are|:|from)|\\bfrom now on,? (?:you|your|respond|answer|act)|\\b(?:end|start|begin)(?:ning)? of (?:the )?(?:system |user )?(?:prompt|instructions|message|input)",
    ),
  ],
  [
    "role escape",
    0.7,
    of(
      "\\byou are (?:now |no longer )(?:dan\\b|a?n? ?(?:unrestricted|unfiltered|uncensored|evil|jailbroken|free|bound|limited|restricted))|\\bdo anything now|\\b(?:developer|god|debug|sudo|admin|unrestricted|jailbreak|dan|opposite|maintenance) mode\\b ?(?:enabled|activated|on|:|is)?|\\bjailbr(?:eak|oken)",
    ),
  ],
  [
    "role escape",
    0.6,
    of(
      "\\b(?:pretend|act|behave|imagine|respond|answer|roleplay|simulate|play)\\b.{0,60}\\b(?:no|without(?: any)?|free of|not bound by|ignores?|never refuses|unbound by|outside) (?:any |your |all |of |the |moral |ethical |safety )*(?:restrictions?|filters?|limits?|limitations|rules|guidelines|censorship|ethics|morals|policies|boundaries|safeguards|guardrails)",
    ),
  ],
  [
    "role escape",
    0.5,
    of(
      "\\b(?:has|have|with|without|are|is) (?:no|any|all) ?(?:ethical|moral|safety|content) (?:guidelines|restrictions|filters|rules|limits)|\\b(?:evil|uncensored|unfiltered|amoral) (?:ai|assistant|chatbot|model|twin|version)|\\bnever (?:refuse|decline|say no)|\\b(?:turn off|disable|remove|deactivate) (?:all |your |the |any )*(?:safety|content|ethical|moderation)[\\p{L} -]{0,20}(?:filters?|guidelines|checks|settings|protocols|measures|restrictions)",
    ),
  ],
  [
    "prompt extraction",
    0.7,
    of(
      `\\b(?:reveal|show|print|repeat|output|display|tell|give|leak|dump|write|copy|recite|summari[sz]e|translate|paste|expose|share|disclose|encode|list|spell)\\b ${fewWords}${hiddenPrompt}`,
    ),
  ],
  [
    "prompt extraction",
    0.6,
    of(
      "\\bwhat (?:is|are|was|were|does)\\b (?:in |written in |the exact |exactly )?(?:your |the )(?:\\w+ )?(?:system|initial|hidden|original|secret|exact)(?: system)? (?:prompt|instructions?|message|rules)|\\brepeat (?:the words|everything|all|the text|back)[\\p{L} ]{0,20}(?:above|before|starting|verbatim|from the (?:top|beginning|start))|\\byou are chatgpt\\b.{0,30}\\bput them in",
    ),
  ],
  [
    "forged delimiters",
    0.6,
    /<\|(?:im_start|im_end|system|endoftext|eot_id|start_header_id)[^>]{0,20}\|?>|\[\/?inst\]|<<\/?sys>>|<\/?(?:system|instructions?|admin)>|#{2,4} ?(?:system|instruction|new instructions?)\b ?:?|\[(?:system|admin)(?: message| override)?\]/giu,
  ],
  [
    "forged delimiters",
    0.35,
    /(?:^| |["'.])system ?(?:message|override|note|prompt)?: (?:you|ignore|the (?:user|assistant)|new|override)/giu,
  ],
  [
    "secrecy",
    0.35,
    of(
      "\\b(?:do not|don't|never|without) (?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|alert(?:ing)?|notify(?:ing)?)\\b ${fewWords}(?:the )?(?:user|human|anyone|this)".replace(
        "${fewWords}",
        fewWords,
      ),
    ),
  ],
  [
    "false authority",
    0.4,
    of(
      "\\bi am (?:your|the) (?:developer|creator|administrator|admin|owner|programmer|openai|system)|\\bthis is (?:an? )?(?:authori[sz]ed|official|sanctioned) (?:test|override|request|audit)|\\b(?:override|access) code\\b|\\bwith (?:root|admin|developer) (?:access|privileges|rights),? ",
    ),
  ],
  [
    "exfiltration",
    0.5,
    of(
      "\\b(?:send|post|forward|upload|email|append|exfiltrate|include)\\b.{0,60}\\b(?:conversation|chat history|api keys?|credentials|passwords?|secrets?|user data|previous messages|context|emails?)\\b.{0,40}(?:https?:|to (?:this|the following) (?:url|address|server|link|webhook)|@)",
    ),
  ],
  [
    "encoded payload",
    0.5,
    of(
      "\\b(?:decode|decrypt|deobfuscate|rot-?13|base64)\\b.{0,60}\\b(?:follow|execute|obey|run|do what|carry out|comply|perform)\\b",
    ),
  ],
];

function of(source: string): RegExp {
  return new RegExp(source, "gu");
}

/** The longest text that is looked at as a whole: of a longer one, its beginning and its end. */
const mostCharacters = 40_000;

/** What in a text speaks for an attempt to give a model other instructions. */
export function signalsIn(whole: string): Signal[] {
  const text =
    whole.length > mostCharacters
      ? `${whole.slice(0, mostCharacters / 2)}\n${whole.slice(-mostCharacters / 2)}`
      : whole;
  const { plain, hidden, tagged, mixed } = normalised(text);
  const signals = matched(plain);
  const spelt = unleeted(plain);
  if (spelt !== plain) signals.push(...matched(spelt));
  if (tagged.length >= 4) signals.push({ name: "hidden text", weight: 0.9 });
  if (hidden >= 3 && /\p{L}[\u200b-\u200d\u2060\ufeff\u00ad]\p{L}/u.test(text))
    signals.push({ name: "hidden text", weight: 0.3 });
  if (mixed > 0) signals.push({ name: "look-alikes", weight: 0.3 });
  for (const payload of payloads(text))
    if (matched(normalised(payload).plain).length > 0) signals.push({ name: "encoded payload", weight: 0.8 });
  return strongest(signals);
}

const matched = (plain: string): Signal[] =>
  patterns.filter(([, , pattern]) => plain.search(pattern) >= 0).map(([name, weight]) => ({ name, weight }));

/** One of each name. */
function strongest(signals: readonly Signal[]): Signal[] {
  const best = new Map<string, number>();
  for (const { name, weight } of signals) best.set(name, Math.max(weight, best.get(name) ?? 0));
  return [...best].map(([name, weight]) => ({ name, weight }));
}

/** How likely all of them together make an attack, as if each spoke for itself. */
export const scoreOf = (signals: readonly Signal[]): number =>
  Math.round((1 - signals.reduce((rest, { weight }) => rest * (1 - weight), 1)) * 1000) / 1000;
