import { pillarScan } from "../../partners/pillar.ts";

export default pillarScan("response");
