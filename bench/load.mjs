/** Loads the built package as n8n does. Prints the CPU time of that in ms, and the memory that it keeps in MB. */
import process from 'node:process';
import 'reflect-metadata';
import core from 'n8n-core';

const loader = new core.PackageDirectoryLoader(process.cwd());
globalThis.gc();
const [cpu, { heapUsed }] = [process.cpuUsage(), process.memoryUsage()];
await loader.loadAll();
const { user, system } = process.cpuUsage(cpu);
globalThis.gc();
const kept = process.memoryUsage().heapUsed - heapUsed;
process.stdout.write(JSON.stringify([(user + system) / 1e3, kept / 1e6]), () => process.exit());
