import { createRequire } from 'node:module';
import { join } from 'node:path';
import { contenderOf, type ContenderName } from './contenders/contenders';
import { figuresOf, type Results } from './results';
import { ratioOf, spreadOf, type Spread } from './statistics';
import { numberOf } from './text';

/** What is used of ECharts, which only the private package.json of this folder installs. */
interface Charting {
	init(
		dom: null,
		theme: null,
		options: { renderer: 'svg'; ssr: true; width: number; height: number },
	): { setOption(option: object): void; renderToSVGString(): string; dispose(): void };
}

const WIDTH = 860;
/** Readable on a light and on a dark page, and without the colors too. */
const STYLE = {
	backgroundColor: '#fff',
	animation: false,
	textStyle: { fontFamily: 'sans-serif' },
	color: ['#2b6cb0', '#dd6b20', '#718096', '#38a169', '#805ad5'],
};

function draw(height: number, option: object): string {
	const charting: Charting = createRequire(join(__dirname, 'package.json'))('echarts');
	const chart = charting.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
	chart.setOption({ ...STYLE, ...option });
	const svg = chart.renderToSVGString();
	chart.dispose();
	return `${svg}\n`;
}

const latencies = ['0 ms', '20 ms'];
const inRows: ContenderName[] = ['thisNode', 'expressions', 'readsAll', 'httpRequest', 'oneByOne'];

/** 1,000 rows into one group: each contender's time as a multiple of the limit, for each latency. */
export function drawRows(results: Results): string {
	const spreads = (contender: ContenderName): Spread[] =>
		latencies.map((latency) => {
			const wall = (name: ContenderName) => figuresOf(results, 'rows', `HTTP, ${latency}`, name).wall;
			return ratioOf(wall(contender), wall('limit'));
		});
	return draw(420, {
		title: {
			text: '1,000 rows into one group',
			subtext: 'time as a multiple of the limit (bars: median; lines: smallest to largest)',
		},
		legend: { bottom: 0, itemGap: 24, data: inRows.map((name) => contenderOf(name).label) },
		grid: { left: 60, right: 20, top: 70, bottom: 60 },
		xAxis: { type: 'category', data: latencies.map((latency) => `latency ${latency}`) },
		yAxis: { type: 'log', min: 0.3, name: '× the limit' },
		series: inRows.flatMap((name, index) => [
			{
				type: 'bar',
				name: contenderOf(name).label,
				data: spreads(name).map(({ median }) => round(median)),
				color: STYLE.color[index],
				// Beside the line.
				label: { show: true, position: 'top', offset: [14, 2] },
			},
			whiskers(spreads(name), index, inRows.length),
		]),
	});
}

function round(value: number): number {
	return Number(value.toPrecision(2));
}

interface Drawing {
	coord(value: [number, number]): [number, number];
	size(value: [number, number]): [number, number];
}

/** Lines from the smallest to the largest, in the middle of the bars that ECharts places side by side. */
function whiskers(spreads: Spread[], index: number, count: number): object {
	const renderItem = ({ dataIndex }: { dataIndex: number }, { coord, size }: Drawing) => {
		const { min, max } = spreads[dataIndex] ?? { min: 1, max: 1 };
		const [x, top] = coord([dataIndex, max]);
		const [, bottom] = coord([dataIndex, min]);
		// ECharts leaves a fifth of each category free.
		const step = ((size([1, 0])[0] ?? 0) * 0.8) / count;
		const middle = x + (index - (count - 1) / 2) * step;
		return {
			type: 'line',
			shape: { x1: middle, x2: middle, y1: top, y2: bottom },
			style: { stroke: '#1a202c', lineWidth: 1.5 },
		};
	};
	return {
		type: 'custom',
		renderItem,
		data: spreads.map(({ median }, i) => [i, median]),
		z: 10,
		silent: true,
	};
}

const sizes = [100, 1000, 10_000, 100_000];
const inGrowth: ContenderName[] = ['thisNode', 'expressions', 'limit'];

/** Time per row, as a multiple of that at 1,000 rows. */
export function drawGrowth(results: Results): string {
	const perRow = (contender: ContenderName, rows: number) =>
		spreadOf(figuresOf(results, 'growth', `${numberOf(rows)} rows`, contender).wall).median / rows;
	return draw(360, {
		title: { text: 'Growth', subtext: 'median time per row, as a multiple of that at 1,000 rows' },
		legend: { bottom: 0, itemGap: 24 },
		grid: { left: 60, right: 20, top: 70, bottom: 60 },
		xAxis: { type: 'category', data: sizes.map((rows) => `${numberOf(rows)} rows`) },
		yAxis: { type: 'value', min: 0, name: '× 1,000 rows' },
		series: inGrowth.map((name) => ({
			type: 'line',
			name: contenderOf(name).label,
			symbolSize: 8,
			label: { show: name === 'thisNode', position: 'top' },
			data: sizes.map((rows) => round(perRow(name, rows) / perRow(name, 1000))),
		})),
	});
}
