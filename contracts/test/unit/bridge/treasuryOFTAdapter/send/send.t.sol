// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILayerZeroEndpointV2} from "@layerzerolabs/lz-evm-protocol-v2/contracts/interfaces/ILayerZeroEndpointV2.sol";
import {OAppSender} from "@layerzerolabs/oapp-evm/contracts/oapp/OAppSender.sol";
import {IOAppCore} from "@layerzerolabs/oapp-evm/contracts/oapp/interfaces/IOAppCore.sol";
import {
    IOFT,
    MessagingFee,
    MessagingReceipt,
    OFTReceipt,
    SendParam
} from "@layerzerolabs/oft-evm/contracts/interfaces/IOFT.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryOFTAdapterFixture} from "test/helpers/TreasuryOFTAdapterFixture.sol";

/// forge-config: default.fuzz.runs = 256
contract TreasuryOFTAdapterSendTest is TreasuryOFTAdapterFixture {
    uint256 private constant AMOUNT = 1_000e18;
    MessagingFee private fee;

    function setUp() public override {
        super.setUp();
        fee = home.adapter.quoteSend(_param(away, receiver, AMOUNT), false);
    }

    /// Without the role, the burn would succeed as that of any spender, but the tokens that the message announces might
    /// never be minted.
    function test_RevertGiven_TheAdapterIsNoBridge() public {
        vm.prank(admin);
        home.treasury.removeBridge(address(home.adapter));
        _expectRevert(
            AMOUNT,
            abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector,
                address(home.adapter),
                home.treasury.BRIDGE_ROLE()
            )
        );
    }

    function test_RevertGiven_TheAdapterHasNoAllowance() public {
        vm.prank(holder);
        home.treasury.approve(address(home.adapter), AMOUNT - 1);
        _expectRevert(
            AMOUNT,
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, address(home.adapter), AMOUNT - 1, AMOUNT
            )
        );
    }

    function test_RevertGiven_TheSenderHoldsLess() public {
        _expectRevert(
            SUPPLY + UNIT,
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, holder, SUPPLY, SUPPLY + UNIT)
        );
    }

    function test_RevertGiven_TheSenderIsBlacklisted() public {
        _blacklist(home, holder);
        _expectRevert(AMOUNT, abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, holder));
    }

    function test_RevertGiven_TheAdapterIsBlacklisted() public {
        _blacklist(home, address(home.adapter));
        _expectRevert(AMOUNT, abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, address(home.adapter)));
    }

    function test_RevertGiven_TheTokenIsPausedAtTheSource() public {
        _pause(home);
        _expectRevert(AMOUNT, abi.encodeWithSelector(Pausable.EnforcedPause.selector));
    }

    function test_RevertGiven_TheDestinationHasNoPeer() public {
        home.adapter.setPeer(away.eid, bytes32(0));
        _expectRevert(AMOUNT, abi.encodeWithSelector(IOAppCore.NoPeer.selector, away.eid));
    }

    function test_RevertWhen_TheNativeFeeSentIsNotTheOneNamed() public {
        SendParam memory param = _param(away, receiver, AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(OAppSender.NotEnoughNative.selector, fee.nativeFee - 1));
        vm.prank(holder);
        home.adapter.send{value: fee.nativeFee - 1}(param, fee, holder);
    }

    function test_RevertWhen_TheFeeIsToBePaidInALayerZeroTokenThatDoesNotExist() public {
        fee.lzTokenFee = 1;
        _expectRevert(AMOUNT, abi.encodeWithSelector(OAppSender.LzTokenUnavailable.selector));
    }

    function test_RevertWhen_TheLayerZeroTokenRefusesTheFee() public {
        fee.lzTokenFee = 1;
        address lzToken = makeAddr("LayerZero token");
        vm.mockCall(endpoints[home.eid], abi.encodeCall(ILayerZeroEndpointV2.lzToken, ()), abi.encode(lzToken));
        vm.mockCall(lzToken, abi.encodeWithSelector(IERC20.transferFrom.selector), abi.encode(false));
        _expectRevert(AMOUNT, abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, lzToken));
    }

    function testFuzz_RevertWhen_TheAmountIsLessThanAMessageCanCarry(uint256 amount) public {
        _expectRevert(bound(amount, 0, UNIT - 1), abi.encodeWithSelector(ITreasury.InvalidAmount.selector));
    }

    function testFuzz_RevertWhen_TheAmountLessItsDustIsBelowTheMinimum(uint256 amount, uint256 dust) public {
        amount = bound(amount, 1, SUPPLY / UNIT - 1) * UNIT;
        dust = bound(dust, 1, UNIT - 1);
        SendParam memory param = _param(away, receiver, amount + dust);
        param.minAmountLD = amount + dust;
        vm.expectRevert(abi.encodeWithSelector(IOFT.SlippageExceeded.selector, amount, amount + dust));
        vm.prank(holder);
        home.adapter.send{value: fee.nativeFee}(param, fee, holder);
        param.minAmountLD = amount;
        _send(home, holder, param);
    }

    function test_RevertWhen_TheAmountIsMoreThanAMessageCanCarry() public {
        uint256 most = uint256(type(uint64).max);
        vm.startPrank(admin);
        home.treasury.mint(holder, (most + 1) * UNIT - SUPPLY);
        vm.stopPrank();
        _expectRevert((most + 1) * UNIT, abi.encodeWithSelector(IOFT.AmountSDOverflowed.selector, most + 1));
        _send(home, holder, _param(away, receiver, most * UNIT));
        _deliver(away);
        assertEq(away.treasury.balanceOf(receiver), most * UNIT);
    }

    function testFuzz_WhenTheAmountIsValid(uint256 amount) public {
        amount = bound(amount, UNIT, SUPPLY);
        uint256 sent = amount - amount % UNIT;
        vm.prank(holder);
        home.treasury.approve(address(home.adapter), amount);
        SendParam memory param = _param(away, receiver, amount);
        (,, OFTReceipt memory quoted) = home.adapter.quoteOFT(param);

        vm.expectEmit(address(home.treasury));
        emit ITreasury.BridgeBurn(address(home.adapter), holder, sent);
        vm.expectEmit(false, true, false, true, address(home.adapter));
        emit IOFT.OFTSent(bytes32(0), away.eid, holder, sent, sent);
        (MessagingReceipt memory messaging, OFTReceipt memory receipt) = _send(home, holder, param);

        assertEq(messaging.nonce, 1, "nonce");
        assertEq(receipt.amountSentLD, sent, "sent");
        assertEq(receipt.amountReceivedLD, sent, "received");
        assertEq(abi.encode(receipt), abi.encode(quoted), "quote");
        assertEq(home.treasury.balanceOf(holder), SUPPLY - sent, "balance");
        assertEq(home.treasury.totalSupply(), SUPPLY - sent, "supply");
        assertEq(home.treasury.allowance(holder, address(home.adapter)), amount - sent, "allowance");
        assertEq(home.treasury.balanceOf(address(home.adapter)), 0, "adapter");
    }

    function _expectRevert(uint256 amount, bytes memory reason) private {
        SendParam memory param = _param(away, receiver, amount);
        vm.expectRevert(reason);
        vm.prank(holder);
        home.adapter.send{value: fee.nativeFee}(param, fee, holder);
    }
}
