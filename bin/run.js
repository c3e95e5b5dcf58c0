// `node bin/run.js tools/test.ts …`: the scripts of package.json start their programs with it.
import { launch } from "./launch.js";

const [program, ...words] = process.argv.slice(2);
await launch(program ?? "", words);
