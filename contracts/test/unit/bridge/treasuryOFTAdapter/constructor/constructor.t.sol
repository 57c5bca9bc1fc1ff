// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOFT} from "@layerzerolabs/oft-evm/contracts/interfaces/IOFT.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TestToken} from "script/local/TestToken.sol";
import {TreasuryOFTAdapter} from "src/bridge/TreasuryOFTAdapter.sol";
import {TreasuryOFTAdapterFixture} from "test/helpers/TreasuryOFTAdapterFixture.sol";

interface IDelegates {
    function delegates(address oapp) external view returns (address delegate);
}

contract TreasuryOFTAdapterConstructorTest is TreasuryOFTAdapterFixture {
    function test_RevertWhen_TheOwnerIsZero() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new TreasuryOFTAdapter(address(home.treasury), endpoints[home.eid], address(0));
    }

    function test_RevertWhen_TheTokenHasLessThan6Decimals() public {
        TestToken token = new TestToken("Token", "TKN", 5);
        vm.expectRevert(IOFT.InvalidLocalDecimals.selector);
        new TreasuryOFTAdapter(address(token), endpoints[home.eid], address(this));
    }

    function test_WhenTheArgumentsAreValid() public {
        address owner = makeAddr("owner");
        TreasuryOFTAdapter adapter = new TreasuryOFTAdapter(address(home.treasury), endpoints[home.eid], owner);
        assertEq(adapter.token(), address(home.treasury), "token");
        assertEq(address(adapter.endpoint()), endpoints[home.eid], "endpoint");
        assertEq(adapter.owner(), owner, "owner");
        assertEq(IDelegates(endpoints[home.eid]).delegates(address(adapter)), owner, "delegate");
        assertTrue(adapter.approvalRequired(), "approval");
        assertEq(adapter.sharedDecimals(), 6, "shared decimals");
        assertEq(adapter.decimalConversionRate(), UNIT, "conversion rate");
    }
}
