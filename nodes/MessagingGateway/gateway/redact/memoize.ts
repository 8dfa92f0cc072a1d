/** The same question, answered once for each text: the records of a list have the same few names. */
export function memoize(question: (text: string) => boolean): (text: string) => boolean {
	const answers = new Map<string, boolean>();
	return (text) => {
		let answer = answers.get(text);
		if (answer === undefined) answers.set(text, (answer = question(text)));
		return answer;
	};
}
