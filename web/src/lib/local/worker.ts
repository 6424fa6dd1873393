import type { FromWorker } from './contract';

// There is no module yet: the page plays at the server.
postMessage({ failed: 'there is no module' } satisfies FromWorker);
