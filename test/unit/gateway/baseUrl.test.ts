import { readBaseUrl } from '../../../nodes/MessagingGateway/gateway/credential';
import { redirectTarget } from '../../../nodes/MessagingGateway/gateway/sender';
import { problemOf, testExamples } from '../support';

describe('the base URL', () => {
	testExamples(
		{
			'stays as it is': 'https://gateway.example.com → https://gateway.example.com',
			'may be http': 'http://localhost:8080 → http://localhost:8080',
			'may be an IPv6 address': 'http://[::1]:8080 → http://[::1]:8080',
			'loses a trailing slash': 'https://gateway.example.com/ → https://gateway.example.com',
			'loses several trailing slashes': 'https://gateway.example.com/// → https://gateway.example.com',
			'loses a trailing /manager': 'https://gateway.example.com/manager → https://gateway.example.com',
			'loses a trailing /manager/': 'https://gateway.example.com/manager/ → https://gateway.example.com',
			'keeps a sub-path': 'https://example.com/tools/gateway/ → https://example.com/tools/gateway',
			'keeps a sub-path before /manager': 'https://example.com/gateway/manager → https://example.com/gateway',
			'loses the slashes before /manager too':
				'https://example.com/gateway//manager → https://example.com/gateway',
			'keeps a path that only ends like it': 'https://example.com/mymanager → https://example.com/mymanager',
			'loses what comes after /manager': 'https://example.com/manager/login?x#y → https://example.com',
			'keeps a host of that name': 'http://manager:8080/manager/ → http://manager:8080',
			'loses its query, too': 'https://example.com/a/manager/x?apikey=k3y#y → https://example.com/a',
			'loses it after a #': 'https://example.com/#/manager → https://example.com',
			'keeps a sub-path before #/manager': 'https://example.com/a/#/manager/login?x → https://example.com/a',
			'loses both': 'https://example.com/manager/#/manager → https://example.com',
			'keeps a path that only begins like it': 'https://example.com/managers → https://example.com/managers',
			'is trimmed': '  https://gateway.example.com\n → https://gateway.example.com',
			'may shout': 'HTTPS://Gateway.Example.COM → https://gateway.example.com',
		},
		' → ',
		([value = '', expected]) => {
			expect(readBaseUrl(value)).toBe(expected);
		},
	);

	it.each([[undefined], [null], [''], ['  \n'], [0], [true], [{}], [['https://gateway.example.com']]])(
		'is asked for where it is %p',
		(value) => {
			const problem = problemOf(() => readBaseUrl(value));

			expect(problem.message).toBe('The base URL is empty');
			expect(problem.description).toContain('https://gateway.example.com');
		},
	);

	it.each([
		...['gateway.example.com', 'localhost:8080', '//gateway.example.com'],
		...['ftp://gateway.example.com', 'ftp://gateway.example.com/https://gateway.example.com'],
		...['file:///etc/passwd', 'javascript:alert(1)', 'http:/gateway.example.com'],
		...['http:gateway.example.com', 'https://', 'https://exa mple.com'],
		'https://gateway.example.com:99999',
	])('is refused where it is %s', (value) => {
		expect(problemOf(() => readBaseUrl(value)).message).toBe(
			`The base URL "${value}" isn't a valid http or https address`,
		);
	});

	it.each([
		...['https://gateway.example.com/?apikey=k3y', 'https://gateway.example.com/#/k3y'],
		...['https://gateway.example.com/?k3y#/manager', 'https://gateway.example.com/?k3y=/manager'],
		...['https://gateway.example.com/#/managers', 'https://gateway.example.com/#/k3y#/manager'],
	])('is refused with a query or fragment, which is not shown: %s', (value) => {
		const { message, description } = problemOf(() => readBaseUrl(value));

		expect(message).toBe('The base URL "https://gateway.example.com/" has a query or fragment');
		expect(description).toMatch(/^Remove everything from the "\?" or "#" on\. Set 'Base URL'/);
	});

	it.each([
		['https://user:p4ss@gateway.example.com'],
		['https://p4ss@gateway.example.com'],
		['https://:p4ss@gateway.example.com'],
	])('is refused with a user name or password, which is not shown: %s', (value) => {
		const { message, description } = problemOf(() => readBaseUrl(value));

		expect(message).toBe('The base URL contains a username or password');
		expect(description).toMatch(/^Remove them\. Set 'Base URL'/);
	});

	it.each([
		['https://user:p4ss/word@gateway.example.com'],
		['ftp://user:p4ss@gateway.example.com'],
		['user:p4ss@gateway.example.com'],
	])('is not shown where it may hold a password and is no address: %s', (value) => {
		expect(problemOf(() => readBaseUrl(value)).message).toBe(
			"The base URL isn't a valid http or https address",
		);
	});

	it('is read in one go however long it is', () => {
		const slashes = '/'.repeat(20_000);

		expect(readBaseUrl(`https://example.com${slashes}a${slashes}`)).toBe(`https://example.com${slashes}a`);
	});
});

describe('the base URL to set after a redirect', () => {
	const requested = 'http://gateway.example.com/api/instance/fetchInstances?instanceName=a';
	const baseUrl = 'http://gateway.example.com/api';

	testExamples(
		{
			'keeps what stands before the route':
				'https://other.example.com/v2/instance/fetchInstances?instanceName=a → https://other.example.com/v2',
			'is the origin where the route is gone': 'https://other.example.com/login → https://other.example.com',
			'is read from a header without an origin':
				'/v2/instance/fetchInstances → http://gateway.example.com/v2',
			'is read from a header without a scheme':
				'//other.example.com/instance/fetchInstances → http://other.example.com',
			'leaves out what may hold secrets':
				'https://user:p4ss@other.example.com/x?apikey=k3y#k3y → https://other.example.com',
		},
		' → ',
		([location = '', expected]) => {
			expect(redirectTarget(location, requested, baseUrl)).toBe(expected);
		},
	);

	it('is found where the base URL has no path', () => {
		expect(
			redirectTarget(
				'https://b.example.com/x/instance/all',
				'http://a.example.com/instance/all',
				'http://a.example.com',
			),
		).toBe('https://b.example.com/x');
	});

	it.each([['/;token=abc'], ['/a%20b'], ['/key=abc']])(
		'is the origin where the path may hold a secret: %s',
		(path) => {
			expect(
				redirectTarget(
					`https://b.example.com${path}/instance/all`,
					'http://a.example.com/instance/all',
					'http://a.example.com',
				),
			).toBe('https://b.example.com');
		},
	);

	it.each([['/login'], ['/api/login'], ['/api/instance/fetchInstances?instanceName=b'], [requested]])(
		'is not known where the gateway redirects to itself: %s',
		(location) => {
			expect(redirectTarget(location, requested, baseUrl)).toBeUndefined();
		},
	);

	it.each([[''], ['http://'], ['ftp://other.example.com'], ['javascript:alert(1)'], ['data:,x']])(
		'is not known from the header %p',
		(location) => {
			expect(redirectTarget(location, requested, baseUrl)).toBeUndefined();
		},
	);
});
