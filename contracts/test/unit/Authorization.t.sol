// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {CoreSwapFixture} from "../helpers/CoreSwapFixture.sol";
import {MisbehavingWallet} from "../mocks/MisbehavingWallet.sol";
import {OwnedWallet} from "../mocks/OwnedWallet.sol";

/// Standing allowances and signed permits, for an EOA and for a smart wallet.
contract AuthorizationTest is CoreSwapFixture {
    uint256 private constant INFINITE = type(uint256).max;
    OwnedWallet private wallet;
    uint256 private deadline;

    function setUp() public override {
        super.setUp();
        deadline = block.timestamp + 1 hours;
        wallet = new OwnedWallet(user);
        bill.token.mint(address(wallet), 1_000_000e18);
        _approve(address(wallet), bill.token);
    }

    /* standing allowances */

    function test_AdjustSwapInputAllowance_RaisesAndLowers() public {
        vm.startPrank(user);
        vm.expectEmit(address(core));
        emit ICoreSwap.SwapInputAllowanceSet(user, broker, bill.id, 70);
        core.adjustSwapInputAllowance(broker, bill.id, 70, true);
        vm.expectEmit(address(core));
        emit ICoreSwap.SwapInputAllowanceSet(user, broker, bill.id, 40);
        core.adjustSwapInputAllowance(broker, bill.id, 30, false);
        assertEq(core.swapInputAllowances(user, broker, bill.id), 40);
        vm.stopPrank();
    }

    function test_AdjustSwapInputAllowance_SaturatesAtBothEnds() public {
        vm.startPrank(user);
        core.adjustSwapInputAllowance(broker, bill.id, 5, true);
        core.adjustSwapInputAllowance(broker, bill.id, 6, false);
        assertEq(core.swapInputAllowances(user, broker, bill.id), 0);
        core.adjustSwapInputAllowance(broker, bill.id, 5, true);
        core.adjustSwapInputAllowance(broker, bill.id, INFINITE, true);
        assertEq(core.swapInputAllowances(user, broker, bill.id), INFINITE);
        vm.stopPrank();
    }

    function test_AdjustSwapInputAllowance_WhilePaused_Works() public {
        vm.prank(pauser);
        core.pause();
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, 1, true);
        assertEq(core.swapInputAllowances(user, broker, bill.id), 1);
    }

    function testFuzz_S13_Allowance_FallsByTheRealisedInput(uint256 routeSeed, uint256 amount, uint256 spare) public {
        uint256 routeId = bound(routeSeed, 1, 8);
        uint256 unit = routeId == 1 || routeId == 5 || routeId == 7 ? 1e18 : 1e6;
        ICoreSwap.SwapInputs memory leg = _leg(routeId, bound(amount, unit, 1_000_000 * unit), amount % 2 == 0);
        uint256 amountIn = core.quoteSwap(user, leg).tokenInAmt;
        spare = bound(spare, 0, INFINITE - 1 - amountIn);
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, leg.assetInID, amountIn + spare, true);
        vm.expectEmit(address(core));
        emit ICoreSwap.SwapInputAllowanceSpent(user, broker, leg.assetInID, amountIn, spare);
        vm.prank(broker);
        core.swap(user, receiver, _one(leg), _noPermit());
        assertEq(core.swapInputAllowances(user, broker, leg.assetInID), spare);
    }

    function test_S13_Allowance_OfOneUnitLess_Reverts() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 1_000e6, false);
        uint256 amountIn = core.quoteSwap(user, leg).tokenInAmt;
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, amountIn - 1, true);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        vm.prank(broker);
        core.swap(user, receiver, _one(leg), _noPermit());
    }

    function test_S13_Allowance_WhenInfinite_IsNotReducedButReported() public {
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, INFINITE, true);
        vm.expectEmit(address(core));
        emit ICoreSwap.SwapInputAllowanceSpent(user, broker, bill.id, 1_000e18, INFINITE);
        vm.prank(broker);
        core.swap(user, receiver, _one(_leg(1, 1_000e18, false)), _noPermit());
        assertEq(core.swapInputAllowances(user, broker, bill.id), INFINITE);
    }

    function test_S13_Allowance_OfAnotherUserOperatorOrAsset_DoesNotServe() public {
        vm.prank(stranger);
        core.adjustSwapInputAllowance(broker, bill.id, INFINITE, true);
        vm.startPrank(user);
        core.adjustSwapInputAllowance(stranger, bill.id, INFINITE, true);
        core.adjustSwapInputAllowance(broker, bond.id, INFINITE, true);
        vm.stopPrank();
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        vm.prank(broker);
        core.swap(user, receiver, _one(_leg(1, 1e18, false)), _noPermit());
    }

    function test_S13_Allowance_IsSpentByEveryLeg() public {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = legs[1] = _leg(1, 600e18, false);
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, 1_199e18, true);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        vm.prank(broker);
        core.swap(user, receiver, legs, _noPermit());
    }

    function test_SelfCall_SpendsNoAllowance() public {
        vm.prank(user);
        core.adjustSwapInputAllowance(user, bill.id, 5, true);
        _swap(_leg(1, 1e18, false));
        assertEq(core.swapInputAllowances(user, user, bill.id), 5);
    }

    /* permits */

    function test_DomainSeparator_IsThatOfTheName() public view {
        assertEq(core.DOMAIN_SEPARATOR(), _domain("CoreSwap", "1", block.chainid, address(core)));
        (, string memory name, string memory version, uint256 chainId, address verifyingContract,,) =
            core.eip712Domain();
        assertEq(core.DOMAIN_SEPARATOR(), _domain(name, version, chainId, verifyingContract));
    }

    function test_Permit_OfAnEOA_AuthorisesOnceAndUsesTheNonce() public {
        ICoreSwap.SwapInputs[] memory legs = _legs();
        ICoreSwap.ApprovalPermit memory permit = _sign(user, broker, receiver, legs, 0);
        vm.prank(broker);
        core.swap(user, receiver, legs, permit);
        assertEq(core.nonces(user), 1);
        assertEq(core.swapInputAllowances(user, broker, bill.id), 0);
        _expectInvalid(broker, user, receiver, legs, permit);
    }

    function test_S12_Permit_OfAWallet_AuthorisesOnceAndNotItsTwin() public {
        OwnedWallet twin = new OwnedWallet(user);
        ICoreSwap.SwapInputs[] memory legs = _legs();
        ICoreSwap.ApprovalPermit memory permit = _signForWallet(wallet, broker, receiver, legs, 0);
        _expectInvalid(broker, address(twin), receiver, legs, permit);
        vm.prank(broker);
        core.swap(address(wallet), receiver, legs, permit);
        assertEq(core.nonces(address(wallet)), 1);
        _expectInvalid(broker, address(wallet), receiver, legs, permit);
    }

    function test_Permit_OfAnEOAThatDelegatesToCode_IsTriedAsECDSAFirst() public {
        vm.etch(user, abi.encodePacked(hex"ef0100", address(wallet)));
        ICoreSwap.SwapInputs[] memory legs = _legs();
        ICoreSwap.ApprovalPermit memory permit = _sign(user, broker, receiver, legs, 0);
        vm.prank(broker);
        core.swap(user, receiver, legs, permit);
    }

    function test_S12_Permit_OfAMisbehavingWallet_IsInvalid() public {
        ICoreSwap.SwapInputs[] memory legs = _legs();
        for (uint8 mode = 0; mode <= uint8(type(MisbehavingWallet.Mode).max); ++mode) {
            address bad = address(new MisbehavingWallet(MisbehavingWallet.Mode(mode)));
            _expectInvalid(broker, bad, receiver, legs, ICoreSwap.ApprovalPermit(deadline, hex"01"));
        }
    }

    function test_S11_Permit_BindsUserOperatorReceiverNonceAndDeadline() public {
        _checkBindings(user, _sign(user, broker, receiver, _legs(), 0));
        _checkBindings(address(wallet), _signForWallet(wallet, broker, receiver, _legs(), 0));
    }

    function test_S11_Permit_BindsEveryFieldOfEveryLegTheirOrderAndCount() public {
        _checkLegBindings(user, _sign(user, broker, receiver, _legs(), 0));
        _checkLegBindings(address(wallet), _signForWallet(wallet, broker, receiver, _legs(), 0));
    }

    function test_S11_Permit_ForANonceToCome_IsInvalid() public {
        _expectInvalid(broker, user, receiver, _legs(), _sign(user, broker, receiver, _legs(), 1));
    }

    function test_S11_Permit_OnAnotherChainOrContract_IsInvalid() public {
        ICoreSwap.SwapInputs[] memory legs = _legs();
        ICoreSwap.ApprovalPermit memory permit = _sign(user, broker, receiver, legs, 0);
        uint256 chainId = block.chainid;
        vm.chainId(chainId + 1);
        _expectInvalid(broker, user, receiver, legs, permit);
        vm.chainId(chainId);

        bytes32 structHash = _structHash(user, broker, receiver, legs, 0, deadline);
        bytes32 domain = _domain("CoreSwap", "1", chainId, address(usdc.delegate));
        permit.signature = _signature(keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        _expectInvalid(broker, user, receiver, legs, permit);
    }

    function test_Permit_WithABrokenSignature_IsInvalid() public {
        ICoreSwap.SwapInputs[] memory legs = _legs();
        ICoreSwap.ApprovalPermit memory permit = _sign(user, broker, receiver, legs, 0);
        bytes memory good = permit.signature;
        permit.signature = abi.encodePacked(good, hex"00");
        _expectInvalid(broker, user, receiver, legs, permit);
        permit.signature = new bytes(65);
        _expectInvalid(broker, user, receiver, legs, permit);
        permit.signature = hex"00";
        _expectInvalid(broker, user, receiver, legs, permit);
        // The other half of the curve: same message, malleated.
        (bytes32 r, bytes32 s, uint8 v) = _split(good);
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        permit.signature = abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _expectInvalid(broker, user, receiver, legs, permit);
    }

    function test_Permit_AtItsDeadline_WorksAndASecondLaterExpires() public {
        ICoreSwap.SwapInputs[] memory legs = _legs();
        ICoreSwap.ApprovalPermit memory permit = _sign(user, broker, receiver, legs, 0);
        vm.warp(deadline + 1);
        vm.expectRevert(ICoreSwap.PermitExpired.selector);
        vm.prank(broker);
        core.swap(user, receiver, legs, permit);
        vm.warp(deadline);
        vm.prank(broker);
        core.swap(user, receiver, legs, permit);
    }

    function test_Permit_SignedWithDeadlineZero_IsExpired() public {
        deadline = 0;
        ICoreSwap.ApprovalPermit memory permit = _sign(user, broker, receiver, _legs(), 0);
        vm.expectRevert(ICoreSwap.PermitExpired.selector);
        vm.prank(broker);
        core.swap(user, receiver, _legs(), permit);
    }

    function test_Deadline_WithoutASignature_HoldsForEveryCaller() public {
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, INFINITE, true);
        vm.warp(deadline + 1);
        address[2] memory callers = [user, broker];
        for (uint256 k = 0; k < 2; ++k) {
            vm.expectRevert(ICoreSwap.PermitExpired.selector);
            vm.prank(callers[k]);
            core.swap(user, receiver, _legs(), ICoreSwap.ApprovalPermit(deadline, ""));
            vm.prank(callers[k]);
            core.swap(user, receiver, _legs(), ICoreSwap.ApprovalPermit(deadline + 1, ""));
        }
    }

    function test_SelfCall_WithASignature_VerifiesItAndCancelsTheNonce() public {
        ICoreSwap.SwapInputs[] memory legs = _legs();
        ICoreSwap.ApprovalPermit memory handedOut = _sign(user, broker, receiver, legs, 0);
        _expectInvalid(user, user, receiver, legs, handedOut);
        ICoreSwap.ApprovalPermit memory own = _sign(user, user, receiver, legs, 0);
        vm.prank(user);
        core.swap(user, receiver, legs, own);
        assertEq(core.nonces(user), 1);
        _expectInvalid(broker, user, receiver, legs, handedOut);
    }

    function test_Permit_OfARevertedSwap_KeepsItsNonce() public {
        ICoreSwap.SwapInputs[] memory legs = _one(_leg(1, 0, false));
        ICoreSwap.ApprovalPermit memory permit = _sign(user, broker, receiver, legs, 0);
        vm.expectRevert(ICoreSwap.InsufficientRWAInput.selector);
        vm.prank(broker);
        core.swap(user, receiver, legs, permit);
        assertEq(core.nonces(user), 0);
    }

    /* what a permit binds */

    function _checkBindings(address signer, ICoreSwap.ApprovalPermit memory permit) private {
        ICoreSwap.SwapInputs[] memory legs = _legs();
        _expectInvalid(stranger, signer, receiver, legs, permit);
        _expectInvalid(broker, signer, broker, legs, permit);
        _expectInvalid(broker, stranger, receiver, legs, permit);
        _expectInvalid(broker, signer, receiver, legs, ICoreSwap.ApprovalPermit(permit.deadline + 1, permit.signature));
        _expectInvalid(broker, signer, receiver, legs, ICoreSwap.ApprovalPermit(permit.deadline - 1, permit.signature));
        vm.prank(broker);
        core.swap(signer, receiver, legs, permit);
    }

    function _checkLegBindings(address signer, ICoreSwap.ApprovalPermit memory permit) private {
        for (uint256 k = 0; k < 2; ++k) {
            for (uint256 field = 0; field < 6; ++field) {
                ICoreSwap.SwapInputs[] memory legs = _legs();
                _flip(legs[k], field);
                _expectInvalid(broker, signer, receiver, legs, permit);
            }
        }
        ICoreSwap.SwapInputs[] memory swapped = _legs();
        (swapped[0], swapped[1]) = (swapped[1], swapped[0]);
        _expectInvalid(broker, signer, receiver, swapped, permit);

        ICoreSwap.SwapInputs[] memory signed = _legs();
        ICoreSwap.SwapInputs[] memory more = new ICoreSwap.SwapInputs[](3);
        (more[0], more[1], more[2]) = (signed[0], signed[1], signed[1]);
        _expectInvalid(broker, signer, receiver, more, permit);
        _expectInvalid(broker, signer, receiver, _one(signed[0]), permit);
        vm.prank(broker);
        core.swap(signer, receiver, signed, permit);
    }

    function _flip(ICoreSwap.SwapInputs memory leg, uint256 field) private pure {
        assembly {
            let slot := add(leg, mul(field, 0x20))
            mstore(slot, xor(mload(slot), 1))
        }
    }

    function _expectInvalid(
        address caller,
        address signer,
        address to,
        ICoreSwap.SwapInputs[] memory legs,
        ICoreSwap.ApprovalPermit memory permit
    ) private {
        vm.expectRevert(ICoreSwap.InvalidSignature.selector);
        vm.prank(caller);
        core.swap(signer, to, legs, permit);
    }

    /* signing, written from EIP-712 */

    function _legs() private view returns (ICoreSwap.SwapInputs[] memory legs) {
        legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = _leg(1, 1_000e18, false);
        legs[1] = _leg(6, 7e6, false);
    }

    function _sign(address signer, address caller, address to, ICoreSwap.SwapInputs[] memory legs, uint256 nonce)
        private
        view
        returns (ICoreSwap.ApprovalPermit memory permit)
    {
        return ICoreSwap.ApprovalPermit(deadline, _signature(_digest(signer, caller, to, legs, nonce)));
    }

    function _signForWallet(
        OwnedWallet signer,
        address caller,
        address to,
        ICoreSwap.SwapInputs[] memory legs,
        uint256 nonce
    ) private view returns (ICoreSwap.ApprovalPermit memory permit) {
        bytes32 digest = signer.boundHash(_digest(address(signer), caller, to, legs, nonce));
        return ICoreSwap.ApprovalPermit(deadline, _signature(digest));
    }

    function _digest(address signer, address caller, address to, ICoreSwap.SwapInputs[] memory legs, uint256 nonce)
        private
        view
        returns (bytes32)
    {
        bytes32 domain = _domain("CoreSwap", "1", block.chainid, address(core));
        return keccak256(abi.encodePacked(hex"1901", domain, _structHash(signer, caller, to, legs, nonce, deadline)));
    }

    function _structHash(
        address signer,
        address caller,
        address to,
        ICoreSwap.SwapInputs[] memory legs,
        uint256 nonce,
        uint256 until
    ) private pure returns (bytes32) {
        string memory legType =
            "SwapInputs(uint256 routeId,bytes32 assetInID,bytes32 assetOutID,bytes32 stablecoinDelegateID,uint256 assetInAmt,uint256 assetOutAmt)";
        bytes memory hashes;
        for (uint256 k = 0; k < legs.length; ++k) {
            hashes = abi.encodePacked(hashes, keccak256(abi.encode(keccak256(bytes(legType)), legs[k])));
        }
        string memory swapType =
            "Swap(address user,address operator,address receiver,SwapInputs[] inputs,uint256 nonce,uint256 deadline)";
        bytes32 typeHash = keccak256(abi.encodePacked(swapType, legType));
        return keccak256(abi.encode(typeHash, signer, caller, to, keccak256(hashes), nonce, until));
    }

    function _domain(string memory name, string memory version, uint256 chainId, address verifyingContract)
        private
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                verifyingContract
            )
        );
    }

    function _signature(bytes32 digest) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(userKey, digest);
        return abi.encodePacked(r, s, v);
    }

    function _split(bytes memory signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }
}
