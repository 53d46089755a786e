import { qualifire } from "../../partners/qualifire.ts";

export default qualifire({
  name: "grounding",
  passes: "answers that rest on what was asked",
  flag: "grounding_check",
  targets: ["response"],
  modeField: "grounding_mode",
});
