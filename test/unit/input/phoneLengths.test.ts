import { PHONE_LENGTHS } from '../../../nodes/MessagingGateway/input/phoneLengths';
import { takePhoneLengths } from '../../phone-lengths/lengths';

test('the lengths of phone numbers are those that the library gives now', () => {
	expect(PHONE_LENGTHS).toStrictEqual(takePhoneLengths());
});
