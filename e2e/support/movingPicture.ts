import type { Page } from 'playwright-core';

/** A picture of the page, and how long it is shown, in ms. */
interface Still {
	png: Buffer;
	shown: number;
}

/** The part of a still that differs from the one before, as a WebP file. */
interface Patch {
	x: number;
	y: number;
	width: number;
	height: number;
	/** Base64. */
	webp: string;
}

/** Makes one animated WebP of stills: each frame is the part that has changed, encoded by the browser. */
export async function movingPicture(page: Page, stills: Still[], quality: number): Promise<Buffer> {
	const frames: Buffer[] = [];
	let size = { width: 0, height: 0 };
	let before = '';
	for (const { png, shown } of stills) {
		const now = png.toString('base64');
		const patch = await page.evaluate(encodeChange, { before, now, quality });
		before = now;
		if (frames.length === 0) size = patch;
		frames.push(frameOf(patch, shown));
	}
	const canvas = Buffer.concat([
		Buffer.from([ANIMATED, 0, 0, 0]),
		uint24(size.width - 1),
		uint24(size.height - 1),
	]);
	// A white background, and repeated for ever.
	const animation = Buffer.from([255, 255, 255, 255, 0, 0]);
	const chunks = [chunk('VP8X', canvas), chunk('ANIM', animation), ...frames];
	return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** The flag of VP8X that says so. */
const ANIMATED = 0b10;

/** The flag of a frame that takes the place of what it covers. */
const OPAQUE = 0b10;

function frameOf({ x, y, width, height, webp }: Patch, shown: number): Buffer {
	const place = [x / 2, y / 2, width - 1, height - 1, shown].map(uint24);
	return chunk(
		'ANMF',
		Buffer.concat([...place, Buffer.from([OPAQUE]), pictureIn(Buffer.from(webp, 'base64'))]),
	);
}

/** The chunk of a WebP file that holds its picture. */
function pictureIn(webp: Buffer): Buffer {
	for (let at = 12; at < webp.length;) {
		const end = at + 8 + webp.readUInt32LE(at + 4);
		if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4)))
			return chunk(webp.toString('latin1', at, at + 4), webp.subarray(at + 8, end));
		at = end + (end % 2);
	}
	throw new Error('The browser gave no WebP');
}

function chunk(name: string, data: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32LE(data.length);
	return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)]);
}

function uint24(value: number): Buffer {
	const bytes = Buffer.alloc(3);
	bytes.writeUIntLE(value, 0, 3);
	return bytes;
}

/** Runs in the page, so that it can use nothing from here. WebP wants places in steps of two. */
async function encodeChange({
	before,
	now,
	quality,
}: {
	before: string;
	now: string;
	quality: number;
}): Promise<Patch> {
	const read = async (base64: string) => {
		const image = new Image();
		image.src = `data:image/png;base64,${base64}`;
		await image.decode();
		return image;
	};
	const draw = (image: HTMLImageElement, x: number, y: number, width: number, height: number) => {
		const canvas = document.createElement('canvas');
		Object.assign(canvas, { width, height });
		const context = canvas.getContext('2d', { alpha: false });
		if (context === null) throw new Error('The page has no canvas');
		context.drawImage(image, -x, -y);
		return { canvas, pixels: new Uint32Array(context.getImageData(0, 0, width, height).data.buffer) };
	};
	const image = await read(now);
	const { width, height } = image;
	let [left, top, right, bottom] = [0, 0, width, height];
	if (before !== '') {
		const old = draw(await read(before), 0, 0, width, height).pixels;
		const { pixels } = draw(image, 0, 0, width, height);
		[left, top, right, bottom] = [width, height, 0, 0];
		pixels.forEach((pixel, at) => {
			if (pixel === old[at]) return;
			const [x, y] = [at % width, Math.floor(at / width)];
			[left, top, right, bottom] = [
				Math.min(left, x),
				Math.min(top, y),
				Math.max(right, x + 1),
				Math.max(bottom, y + 1),
			];
		});
		// Nothing has changed: a frame has to have a size.
		if (right === 0) [left, top, right, bottom] = [0, 0, 2, 2];
	}
	const [x, y] = [left - (left % 2), top - (top % 2)];
	const { canvas } = draw(image, x, y, right - x, bottom - y);
	const [, webp = ''] = canvas.toDataURL('image/webp', quality).split(',');
	return { x, y, width: canvas.width, height: canvas.height, webp };
}
