import { expect, it } from "vitest";
import { traceParent } from "./trace-parent.ts";

const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

it.each([
  `00-${trace}-${parent}-01`,
  `00-${trace}-${parent}-00`,
  `01-${trace}-${parent}-01-more`,
  `cc-${trace}-${parent}-01`,
])("continues %s", (header) => expect(traceParent(header)).toEqual({ trace, parent }));

it.each([
  ["nothing", undefined],
  ["several", [`00-${trace}-${parent}-01`]],
  ["another text", "zzz"],
  ["no trace", `00-${"0".repeat(32)}-${parent}-01`],
  ["no parent", `00-${trace}-${"0".repeat(16)}-01`],
  ["a version that is none", `ff-${trace}-${parent}-01`],
  ["more than its version has", `00-${trace}-${parent}-01-more`],
  ["capital letters", `00-${trace}-${parent}-01`.toUpperCase()],
  ["a trace that is cut off", `00-${trace}-`],
  ["something joined to it", `01-${trace}-${parent}-01more`],
])("continues nothing where there is %s", (_, header) => expect(traceParent(header)).toBeUndefined());
