import { patronusDetector } from "../../partners/patronus.ts";

export default patronusDetector({ evaluator: "phi", finds: "health data of persons" });
