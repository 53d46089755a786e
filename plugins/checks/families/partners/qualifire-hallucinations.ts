import { qualifire } from "../../partners/qualifire.ts";

export default qualifire({
  name: "hallucinations",
  passes: "answers that make nothing up",
  flag: "hallucinations_check",
  targets: ["response"],
  modeField: "hallucinations_mode",
});
